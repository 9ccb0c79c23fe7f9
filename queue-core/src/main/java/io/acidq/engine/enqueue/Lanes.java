package io.acidq.engine.enqueue;

import io.acidq.store.QueueStore.QueueRow;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Which lane a message lies in. All versions of AcidQ must agree: another hash would put one key into two lanes. */
public final class Lanes {

    private Lanes() {}

    public static int of(QueueRow queue, @Nullable String orderingKey) {
        if (orderingKey == null) {
            return ThreadLocalRandom.current().nextInt(queue.lanes());
        }
        CRC32 hash = new CRC32();
        hash.update(orderingKey.getBytes(StandardCharsets.UTF_8));
        return (int) (hash.getValue() % queue.lanes());
    }
}
