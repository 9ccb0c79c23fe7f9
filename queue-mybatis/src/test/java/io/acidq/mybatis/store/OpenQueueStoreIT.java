package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@EachStore
class OpenQueueStoreIT extends StoreFixture {

    private final String name = "open-" + UUID.randomUUID();

    @Test
    void createsAQueueWithItsLanesOnce() {
        QueueRow first = queues.openQueue(name);
        QueueRow second = queues.openQueue(name);

        assertThat(first).isEqualTo(second);
        assertThat(first.lanes()).isEqualTo(QueueStore.LANES);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_lane WHERE queue = ?", first.id()))
                .isEqualTo(QueueStore.LANES);
    }

    @Test
    void givesOneQueueToAllWhoOpenItAtOnce() {
        List<CompletableFuture<QueueRow>> openers = IntStream.range(0, 6)
                .mapToObj(i -> QueueFixture.runAsync(() -> queues.openQueue(name)))
                .toList();

        assertThat(openers.stream().map(QueueFixture::join).distinct()).hasSize(1);
    }

    @Test
    void survivesTheRollbackOfTheCaller() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    queues.openQueue(name);
                    throw new IllegalStateException("roll back");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_queue WHERE name = ?", name))
                .isEqualTo(1);
    }

    @Test
    void usesLanesThatExistAlready() {
        for (int lane = 0; lane < 3; lane++) {
            fixture.execute("INSERT INTO acidq_lane (queue, lane) VALUES (?, ?)", QueueStore.numberOf(name), lane);
        }
        QueueRow row = queues.openQueue(name);
        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_lane WHERE queue = ?", row.id()))
                .isEqualTo(QueueStore.LANES);
    }

    @Test
    void refusesAQueueWithoutLanes() {
        fixture.execute(
                "INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (?, ?, 0, TIMESTAMP '2026-11-22 00:00:00')",
                QueueStore.numberOf(name),
                name);
        assertThatThrownBy(() -> queues.openQueue(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(name, "0 lanes", "acidq_lane");
    }

    /** A process that has kept the number in memory uses it in every database. */
    @Test
    void givesAQueueTheNumberOfItsName() {
        assertThat(queues.openQueue(name).id()).isEqualTo(QueueStore.numberOf(name));
    }

    @Test
    void refusesAQueueWhoseNumberAnotherQueueHas() {
        fixture.execute(
                "INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (?, ?, 64, TIMESTAMP '2026-11-22 00:00:00')",
                QueueStore.numberOf(name),
                "twin-" + name);
        assertThatThrownBy(() -> queues.openQueue(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("'" + name + "'", "'twin-" + name + "'", "rename one of the two queues");
    }

    @Test
    void refusesAQueueWhoseNumberIsNotThatOfItsName() {
        fixture.execute(
                "INSERT INTO acidq_queue (id, name, lanes, created_at) VALUES (?, ?, 64, TIMESTAMP '2026-11-22 00:00:00')",
                -QueueStore.numberOf(name),
                name);
        assertThatThrownBy(() -> queues.openQueue(name))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(name, "must be " + QueueStore.numberOf(name));
    }

    @Test
    void tellsNamesApartByTheirBytes() {
        assertThat(queues.openQueue(name + "-a")).isNotEqualTo(queues.openQueue(name + "-A"));
    }
}
