package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Due;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.store.MessageRow;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Movers beside each other, and beside somebody who changes a scheduled message. */
@EachServer
class MoveDueRaceStoreIT extends StoreFixture {

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        queueFixture.execute("DELETE FROM acidq_scheduled");
    }

    @Test
    void movesOneQueueByOneMoverAtATimeAndOtherQueuesBesideIt() {
        CountDownLatch moving = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        queueFixture.enqueue(due(queueFixture, "a", 0));
        StatementHook trap = new StatementHook(database().dataSource(), "INSERT INTO acidq_message", () -> {
            moving.countDown();
            QueueFixture.await(end);
        });
        CompletableFuture<Moved> first = QueueFixture.runAsync(
                () -> MyBatisStore.over(trap.dataSource()).maintenance().moveDue());
        QueueFixture.await(moving);
        queueFixture.enqueue(
                queueFixture.message(0, "another key", "b", new Due(null, Instant.parse("2024-05-05T06:00:00Z"))));
        QueueFixture other = new QueueFixture(database());
        other.enqueue(due(other, "other queue", 0));

        Moved second = store.maintenance().moveDue();
        assertThat(second.lanes()).extracting(l -> l.queue()).containsExactly(other.queue.id());
        Moved third = store.maintenance().moveDue();
        assertThat(third.lanes()).isEmpty();
        assertThat(third.nextDue()).isPositive(); // it does not spin while another mover is at it
        end.countDown();

        QueueFixture.join(first);
        store.maintenance().moveDue();
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("a", "b");
    }

    @Test
    void keepsTheOrderWithManyMoversAtOnce() {
        queueFixture.enqueue(IntStream.range(0, 1100)
                .mapToObj(i -> due(queueFixture, "m" + i, i))
                .toArray(MessageRow[]::new));

        List<CompletableFuture<Boolean>> movers = IntStream.range(0, 4)
                .mapToObj(i -> QueueFixture.runAsync(() -> {
                    while (queueFixture.count("acidq_scheduled") > 0) {
                        store.maintenance().moveDue();
                    }
                    return true;
                }))
                .toList();
        movers.forEach(QueueFixture::join);

        assertThat(QueueFixture.texts(queueFixture.claim(0, 2000)))
                .isEqualTo(IntStream.range(0, 1100).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void passesARowByThatSomebodyChangesWithTheLaterOnesOfItsKey() throws Exception {
        queueFixture.enqueue(due(queueFixture, "locked", 0), due(queueFixture, "after it", 1));
        queueFixture.enqueue(
                queueFixture.message(0, "l", "other key", new Due(null, Instant.parse("2024-05-05T06:00:00Z"))));
        try (Connection somebody = database().dataSource().getConnection()) {
            somebody.setAutoCommit(false);
            QueueFixture.rows(
                    somebody,
                    "SELECT id FROM acidq_scheduled WHERE preexec_time = '2024-05-05 05:05:05.000000' FOR UPDATE");

            assertThat(store.maintenance().moveDue().lanes()).hasSize(1);
            assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("other key");
            somebody.rollback();
        }
        store.maintenance().moveDue();
        assertThat(QueueFixture.texts(queueFixture.claim(0, 10))).containsExactly("locked", "after it");
    }

    private static MessageRow due(QueueFixture queueFixture, String text, int seconds) {
        return queueFixture.message(
                0,
                "k",
                text,
                new Due(null, Instant.parse("2024-05-05T05:05:05Z").plus(Duration.ofSeconds(seconds))));
    }
}
