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
final class DeadLetterFixture {

    private final QueueFixture queueFixture;

    DeadLetterFixture(QueueFixture queueFixture) {
        this.queueFixture = queueFixture;
    }

    ClaimedMessage deadLetter(String text) {
        return deadLetter(text, null, "k", "mark of " + text);
    }

    /** Enqueues a message with a key of a window of no time, claims it, and lets it die. */
    ClaimedMessage deadLetter(String text, @Nullable String key, @Nullable String orderKey, String mark) {
        MessageRow row = new MessageRow(
                queueFixture.queue.id(),
                0,
                UUID.randomUUID(),
                key,
                orderKey,
                "type",
                "headers",
                text.getBytes(StandardCharsets.UTF_8),
                Due.NOW);
        queueFixture.database.transactions().run(() -> {
            if (key != null) {
                queueFixture
                        .store
                        .enqueue()
                        .takeKey(new KeyClaim(
                                queueFixture.queue.id(), key, row.uid(), 0, Due.NOW, new Window(Duration.ZERO, true)));
            }
            queueFixture.store.enqueue().insert(List.of(row));
        });
        ClaimedMessage message = queueFixture.claimOne(0);
        queueFixture.store.claims().deadLetterIfClaimed(message.claim(), mark, List.of());
        return message;
    }

    List<Letter> deadLetters() {
        return queueFixture.store.dead().pick(queueFixture.queue, DeadLetterFilter.of(queueFixture.queue.name()), 1000);
    }
}
