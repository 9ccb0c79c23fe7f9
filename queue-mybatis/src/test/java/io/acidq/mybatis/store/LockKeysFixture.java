package io.acidq.mybatis.store;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import io.acidq.store.EnqueueStore.KeyHolder;
import io.acidq.store.EnqueueStore.KeyState;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.EnqueueStore.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Message keys that are locked to be replaced. */
abstract class LockKeysFixture extends StoreFixture {

    static final Due IN_AN_HOUR = new Due(QueueFixture.HOUR, null);

    /** Schedules a message as an enqueue does. */
    void schedule(MessageRow row) {
        transactions.run(() -> {
            KeyState taken = enqueue.lockKeys(List.of(claim(row))).get(0);
            MessageRow exact = due(row, taken.due());
            enqueue.insert(List.of(exact));
            enqueue.writeKeys(List.of(new KeyWrite(claim(exact), taken.takenAt(), 0)));
        });
    }

    boolean replace(String key, String text, Instant due) {
        return transactions.call(() -> replaceHere(key, text, due));
    }

    boolean replaceHere(String key, String text, Instant due) {
        MessageRow content = keyed(key, new Due(null, due), text);
        KeyState found = enqueue.lockKeys(List.of(claim(content))).get(0);
        boolean replaced = enqueue.replaceIfScheduled(found, content);
        KeyHolder holder = found.holder();
        KeyClaim held = new KeyClaim(
                fixture.queueId, key, holder.uid(), holder.lane(), content.due(), new Window(Duration.ofDays(1), true));
        if (replaced) {
            enqueue.writeKeys(List.of(new KeyWrite(held, found.takenAt(), found.scheduledId())));
        }
        return replaced;
    }

    KeyState lock(MessageRow row) {
        return transactions.call(() -> enqueue.lockKeys(List.of(claim(row))).get(0));
    }

    KeyClaim claim(MessageRow row) {
        return new KeyClaim(
                row.queue(),
                String.valueOf(row.key()),
                row.uid(),
                row.lane(),
                row.due(),
                new Window(QueueFixture.HOUR, true));
    }

    MessageRow keyed(String key, Due due, String text) {
        MessageRow row = fixture.message(0, null, text, due);
        return new MessageRow(row.queue(), 0, row.uid(), key, key, row.type(), row.headers(), row.payload(), row.due());
    }

    static MessageRow due(MessageRow row, Instant due) {
        return new MessageRow(
                row.queue(),
                row.lane(),
                row.uid(),
                row.key(),
                row.orderingKey(),
                row.type(),
                row.headers(),
                row.payload(),
                new Due(null, due));
    }
}
