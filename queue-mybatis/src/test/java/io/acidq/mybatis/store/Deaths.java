package io.acidq.mybatis.store;

import io.acidq.admin.DeadLetterFilter;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.Window;
import io.acidq.store.MessageRow;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Messages of a scene that die, in lane 0. */
final class Deaths {

    private final Scene scene;

    Deaths(Scene scene) {
        this.scene = scene;
    }

    ClaimedMessage die(String text) {
        return die(text, null, "k", "mark of " + text);
    }

    /** Enqueues a message with a key of a window of no time, claims it, and lets it die. */
    ClaimedMessage die(String text, @Nullable String key, @Nullable String orderKey, String mark) {
        MessageRow row = new MessageRow(
                scene.queue.id(),
                0,
                UUID.randomUUID(),
                key,
                orderKey,
                "type",
                "headers",
                text.getBytes(StandardCharsets.UTF_8),
                Due.NOW);
        scene.home.transactions().run(() -> {
            if (key != null) {
                scene.store
                        .enqueue()
                        .takeKey(new KeyClaim(
                                scene.queue.id(), key, row.uid(), 0, Due.NOW, new Window(Duration.ZERO, true)));
            }
            scene.store.enqueue().insert(List.of(row));
        });
        ClaimedMessage message = scene.claimOne(0);
        scene.store.claims().deadIfClaimed(message.claim(), mark, List.of());
        return message;
    }

    List<Letter> letters() {
        return scene.store.dead().pick(scene.queue, DeadLetterFilter.of(scene.queue.name()), 1000);
    }
}
