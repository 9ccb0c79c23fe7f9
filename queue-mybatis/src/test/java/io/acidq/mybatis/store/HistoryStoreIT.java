package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.admin.History.Gauges;
import io.acidq.admin.History.HistoryPoint;
import io.acidq.store.Due;
import io.acidq.store.HistoryStore;
import io.acidq.store.HistoryStore.Count;
import io.acidq.store.HistoryStore.QueueNumbers;
import io.acidq.store.HistoryStore.StoredPoint;
import io.acidq.store.MaintenanceStore.Pruned;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EachStore
class HistoryStoreIT extends StoreFixture {

    private static final Instant END = Instant.parse("2900-01-01T00:00:00Z");

    private HistoryStore history;

    @BeforeEach
    void emptyTheTable() {
        history = store.history();
        fixture.execute("DELETE FROM acidq_history");
    }

    @Test
    void addsNumbersToTheSlotsOfAllLengths() {
        assertThat(add(Duration.ZERO, numbers(fixture.queueId, 1, null))).isTrue();
        assertThat(add(Duration.ZERO, numbers(fixture.queueId, 10, null))).isTrue();

        for (int step : HistoryStore.STEPS) {
            List<StoredPoint> points = points(step);
            assertThat(points.stream()
                            .mapToLong(each -> each.point().enqueued())
                            .sum())
                    .as("slots of %s minutes", step)
                    .isEqualTo(11);
            HistoryPoint point = points.get(0).point();
            assertThat(points.get(0).queue()).isEqualTo(fixture.queueId);
            assertThat(point.at().getEpochSecond() % (60 * step)).isZero();
            assertThat(point.discarded()).isEqualTo(9 * point.enqueued());
            assertThat(point.runs().counts().get(23)).isEqualTo(33 * point.enqueued());
            assertThat(point.lags().counts().get(0)).isEqualTo(34 * point.enqueued());
            assertThat(point.gauges()).isEmpty();
        }
    }

    @Test
    void addsToTheSlotInWhichTheNumbersWereCounted() {
        add(Duration.ofMinutes(90), numbers(fixture.queueId, 1, null));
        add(Duration.ZERO, numbers(fixture.queueId, 1, null));

        assertThat(points(60)).hasSizeBetween(2, 3); // the hour may end between the two
    }

    @Test
    void keepsTheHighestGaugesOfASlot() {
        add(Duration.ZERO, numbers(fixture.queueId, 1, new Gauges(5, 1, 0, 2, Duration.ofSeconds(3))));
        add(Duration.ZERO, numbers(fixture.queueId, 1, null));
        add(Duration.ZERO, numbers(fixture.queueId, 1, new Gauges(4, 2, 0, 2, Duration.ofSeconds(7))));

        assertThat(points(60).get(0).point().gauges()).contains(new Gauges(5, 2, 0, 2, Duration.ofSeconds(7)));
    }

    @Test
    void sumsOverSomeQueues() {
        int other = fixture.queueId + 1;
        int third = fixture.queueId + 2;
        add(
                Duration.ZERO,
                numbers(fixture.queueId, 1, new Gauges(5, 0, 0, 0, Duration.ofSeconds(3))),
                numbers(other, 2, new Gauges(6, 0, 0, 0, Duration.ofSeconds(2))),
                numbers(third, 100, null));

        List<StoredPoint> sums = history.sums(60, List.of(fixture.queueId, other), Instant.EPOCH, END);
        assertThat(sums).hasSize(1);
        assertThat(sums.get(0).point().enqueued()).isEqualTo(3);
        assertThat(sums.get(0).point().gauges()).contains(new Gauges(11, 0, 0, 0, Duration.ofSeconds(3)));
        assertThat(history.sums(
                        60,
                        List.of(fixture.queueId),
                        Instant.EPOCH,
                        sums.get(0).point().at()))
                .as("the end is exclusive")
                .isEmpty();
    }

    @Test
    void addsMoreRowsThanFitIntoAStatement() {
        add(
                Duration.ZERO,
                IntStream.range(0, 60)
                        .mapToObj(i -> numbers(fixture.queueId + i, 1, null))
                        .toArray(QueueNumbers[]::new));

        assertThat(fixture.number("SELECT COUNT(*) FROM acidq_history")).isEqualTo(180);
    }

    @Test
    void threeWritersAddTheSameQueues() {
        List<CompletableFuture<Void>> writers = IntStream.range(0, 3)
                .mapToObj(w -> QueueFixture.runAsync(() -> {
                    for (int i = 0; i < 10; i++) {
                        add(
                                Duration.ZERO,
                                IntStream.range(0, 20)
                                        .mapToObj(q -> numbers(fixture.queueId + (q * (w + 1)) % 20, 1, null))
                                        .distinct()
                                        .toArray(QueueNumbers[]::new));
                    }
                    return (Void) null;
                }))
                .toList();
        writers.forEach(CompletableFuture::join);

        assertThat(fixture.number(
                        "SELECT SUM(enqueued) FROM acidq_history WHERE step = 1 AND queue = ?", fixture.queueId))
                .isEqualTo(30);
    }

    @Test
    void countsTheBacklogOnlyForTheLowestLivingNodeThatServesTheQueue() {
        int second = fixture.newNode();
        fixture.enqueue(3, null, "ready");
        fixture.enqueue(fixture.message(5, null, "later", new Due(Duration.ofDays(1), null)));

        assertThat(history.gauges(second, List.of(fixture.queueId))).isEmpty();
        assertThat(history.gauges(fixture.node, List.of(fixture.queueId)).get(fixture.queueId))
                .satisfies(found -> {
                    assertThat(found.ready()).isOne();
                    assertThat(found.scheduled()).isOne();
                    assertThat(found.oldest()).isPositive();
                });
        fixture.declareDead(fixture.node);
        assertThat(history.gauges(second, List.of(fixture.queueId))).hasSize(1);
    }

    @Test
    void removesSlotsByTheirLengthTheOldestFirst() {
        for (long hours : new long[] {0, 30, 15 * 24, 500 * 24}) {
            add(Duration.ofHours(hours), numbers(fixture.queueId, 1, null));
        }
        assertThat(history.pruneHistory(Duration.ofDays(400), 2)).isEqualTo(new Pruned(2, true));
        assertThat(history.pruneHistory(Duration.ofDays(400), 1_000)).isEqualTo(new Pruned(4, false));
        assertThat(List.of(points(1).size(), points(10).size(), points(60).size()))
                .as("of a minute, ten minutes and an hour")
                .containsExactly(1, 2, 3);
        assertThat(history.pruneHistory(Duration.ofHours(2), 1_000)).isEqualTo(new Pruned(3, false));
    }

    private boolean add(Duration ago, QueueNumbers... numbers) {
        return history.add(ago, List.of(numbers));
    }

    private List<StoredPoint> points(int step) {
        return history.points(step, List.of(fixture.queueId), Instant.EPOCH, END);
    }

    /** The counts are 1, 2, 3, … times a number. */
    private static QueueNumbers numbers(int queue, long times, @Nullable Gauges gauges) {
        List<Long> counts = new ArrayList<>(Collections.nCopies(Count.ALL, 0L));
        for (int i = 0; i < Count.ALL; i++) {
            counts.set(i, (i + 1) * times);
        }
        return new QueueNumbers(queue, counts, gauges);
    }
}
