package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.MaintenanceStore.Moved;
import io.acidq.testservers.FaultyDataSource;
import io.acidq.testservers.FaultyDataSource.Defect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Concurrent movers, and a mover during a change of a scheduled message. */
@EachServer
class MoveDueRaceStoreIT extends StoreFixture {

    @BeforeEach
    void removeWhatOtherTestsLeft() {
        fixture.execute("DELETE FROM acidq_scheduled");
    }

    @Test
    void movesOneQueueByOneMoverAtATimeAndOtherQueuesBesideIt() {
        CountDownLatch moving = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        fixture.enqueue(due(fixture, "a", 0));
        StatementHook trap = new StatementHook(database().dataSource(), "INSERT INTO acidq_message", () -> {
            moving.countDown();
            QueueFixture.await(end);
        });
        CompletableFuture<Moved> first = QueueFixture.runAsync(
                () -> MyBatisStore.over(trap.dataSource()).maintenance().moveDue());
        QueueFixture.await(moving);
        fixture.enqueue(fixture.message(0, "another key", "b", new Due(null, Instant.parse("2024-05-05T06:00:00Z"))));
        QueueFixture other = new QueueFixture(database());
        other.enqueue(due(other, "other queue", 0));

        Moved second = maintenance.moveDue();
        assertThat(second.lanes()).extracting(l -> l.queue()).containsExactly(other.queue.id());
        Moved third = maintenance.moveDue();
        assertThat(third.lanes()).isEmpty();
        assertThat(third.nextDue()).isPositive(); // it waits while another mover is active
        end.countDown();

        QueueFixture.join(first);
        maintenance.moveDue();
        assertThat(fixture.claimTexts(0, 10)).containsExactly("a", "b");
    }

    @Test
    void saysThatOtherTransactionsHaveLockedAllDueMessages() throws SQLException {
        fixture.enqueue(due(fixture, "a", 0), due(fixture, "b", 1));
        try (Connection holder = fixture.begin()) {
            QueueFixture.rows(holder, "SELECT id FROM acidq_scheduled WHERE queue = ? FOR UPDATE", fixture.queueId);
            Moved moved = maintenance.moveDue();

            assertThat(moved.lanes()).isEmpty();
            assertThat(moved.obstacle()).contains("locked all of 2 due messages of queue number " + fixture.queueId);
            holder.rollback();
        }
        assertThat(maintenance.moveDue()).extracting(Moved::obstacle).isNull();
    }

    /** A bug: it tried again every 20 ms for ever, without a word. */
    @Test
    void saysThatAMoveIsRolledBackBecauseTheCountsDiffer() {
        fixture.enqueue(due(fixture, "a", 0));
        DataSource odd =
                FaultyDataSource.that(Defect.DELETES_NOTHING, database().dataSource());

        Moved moved = MyBatisStore.over(odd).maintenance().moveDue();

        assertThat(moved.lanes()).isEmpty();
        assertThat(moved.obstacle()).contains("1 were copied to acidq_message and 0 deleted", "rolled back");
        assertThat(fixture.count("acidq_message")).isZero();
    }

    @Test
    void keepsTheOrderWithManyMoversAtOnce() {
        fixture.enqueue(1100, i -> due(fixture, "m" + i, i));

        List<CompletableFuture<Boolean>> movers = IntStream.range(0, 4)
                .mapToObj(i -> QueueFixture.runAsync(() -> {
                    while (fixture.count("acidq_scheduled") > 0) {
                        maintenance.moveDue();
                    }
                    return true;
                }))
                .toList();
        movers.forEach(QueueFixture::join);

        assertThat(fixture.claimTexts(0, 2000))
                .isEqualTo(IntStream.range(0, 1100).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void skipsALockedRowWithTheLaterOnesOfItsKey() throws Exception {
        fixture.enqueue(due(fixture, "locked", 0), due(fixture, "after it", 1));
        fixture.enqueue(fixture.message(0, "l", "other key", new Due(null, Instant.parse("2024-05-05T06:00:00Z"))));
        try (Connection somebody = database().dataSource().getConnection()) {
            somebody.setAutoCommit(false);
            QueueFixture.rows(
                    somebody,
                    "SELECT id FROM acidq_scheduled WHERE preexec_time = '2024-05-05 05:05:05.000000' FOR UPDATE");

            assertThat(maintenance.moveDue().lanes()).hasSize(1);
            assertThat(fixture.claimTexts(0, 10)).containsExactly("other key");
            somebody.rollback();
        }
        maintenance.moveDue();
        assertThat(fixture.claimTexts(0, 10)).containsExactly("locked", "after it");
    }

    private static MessageRow due(QueueFixture fixture, String text, int seconds) {
        return fixture.message(
                0,
                "k",
                text,
                new Due(null, Instant.parse("2024-05-05T05:05:05Z").plus(Duration.ofSeconds(seconds))));
    }
}
