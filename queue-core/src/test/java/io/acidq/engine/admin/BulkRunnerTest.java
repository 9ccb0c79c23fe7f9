package io.acidq.engine.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkCallback.BulkStatus;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.store.DeadLetterStore.ActionResult;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore.QueueRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BulkRunnerTest {

    private static final int DEADLOCK = 1213;
    private static final int LOST = 2013;

    private final List<Integer> chunkSizes = new ArrayList<>();
    private long now;
    private final List<Long> bulks = new ArrayList<>();
    private final BulkRunner run =
            new BulkRunner(BulkAction.by("ann", "test"), new QueueRow(1, "q", 64), "queue=q", 1000, status -> true);

    @Test
    void runsInChunksOfAHundredAndAddsUpTheResults() {
        BulkResult result = run.run(deadLetters(250, 10), (operatorAction, chunk) -> {
            chunkSizes.add(chunk.size());
            bulks.add(
                    operatorAction.bulk() == null ? -1L : operatorAction.bulk().id());
            return new ActionResult(chunk.size() - 3, 2, 1, 7);
        });

        assertThat(chunkSizes).containsExactly(100, 100, 50);
        assertThat(bulks).as("the first chunk adds the row of the bulk action").containsExactly(0L, 7L, 7L);
        assertThat(result).isEqualTo(new BulkResult(false, 1000, 241, 6, 3));
        assertThat(result.beyondLimit()).isEqualTo(750);
    }

    @Test
    void tellsItsCallbackHowFarItIsAndEndsWhenTheCallbackSaysSo() {
        List<BulkStatus> seen = new ArrayList<>();
        BulkRunner observed =
                new BulkRunner(BulkAction.by("ann", "test"), new QueueRow(1, "q", 64), "queue=q", 300, status -> {
                    seen.add(status);
                    return status.changed() < 200;
                });

        BulkResult result =
                observed.run(deadLetters(300, 10), (operatorAction, chunk) -> new ActionResult(chunk.size(), 0, 0, 7));

        assertThat(seen)
                .containsExactly(
                        new BulkStatus(0, 300, 0, 0, 0),
                        new BulkStatus(7, 300, 100, 0, 0),
                        new BulkStatus(7, 300, 200, 0, 0));
        assertThat(result).isEqualTo(new BulkResult(false, 300, 200, 0, 0));
    }

    @Test
    void putsALargeLetterIntoAChunkOfItsOwn() {
        assertThat(BulkRunner.chunks(deadLetters(3, 2_000_000), 100))
                .extracting(List::size)
                .containsExactly(1, 1, 1);
        assertThat(BulkRunner.chunks(deadLetters(5, 500_000), 100))
                .extracting(List::size)
                .containsExactly(2, 2, 1);
        assertThat(BulkRunner.chunks(List.of(), 100)).isEmpty();
    }

    @Test
    void triesAChunkAgainThatTheDatabaseHasRolledBack() {
        BulkResult result = run.run(deadLetters(1, 1), (operatorAction, chunk) -> {
            chunkSizes.add(chunk.size());
            if (chunkSizes.size() < 3) {
                throw failure(DEADLOCK);
            }
            return changed(chunk, operatorAction);
        });

        assertThat(chunkSizes).hasSize(3);
        assertThat(result.changed()).isEqualTo(1);
    }

    @Test
    void stopsAtAChunkThatFailsForGoodAndSaysHowManyLettersAreDone() {
        assertThatThrownBy(() -> run.run(deadLetters(300, 1), (operatorAction, chunk) -> {
                    chunkSizes.add(chunk.size());
                    if (chunkSizes.size() > 1) {
                        throw failure(DEADLOCK);
                    }
                    return changed(chunk, operatorAction);
                }))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("queue=q")
                .hasMessageContaining("stopped after 100");
        assertThat(chunkSizes).as("the second four times, the third never").hasSize(5);
        assertThat(run.changed()).isEqualTo(100);
    }

    @Test
    void doesNotTryAChunkAgainThatTheDatabaseRefusesAndSaysHowManyLettersAreDone() {
        assertThatThrownBy(() -> run.run(deadLetters(300, 1), (operatorAction, chunk) -> {
                    chunkSizes.add(chunk.size());
                    if (chunkSizes.size() > 1) {
                        throw new QueueMisuseException("denied: grant it");
                    }
                    return changed(chunk, operatorAction);
                }))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("queue=q", "stopped after 100", "denied: grant it");
        assertThat(chunkSizes).hasSize(2);
    }

    @Test
    void doesNotTryAChunkAgainThatMayHaveCommitted() {
        assertThatThrownBy(() -> run.run(deadLetters(1, 1), (operatorAction, chunk) -> {
                    chunkSizes.add(1);
                    throw failure(LOST);
                }))
                .isInstanceOf(TransientQueueException.class);
        assertThat(chunkSizes).hasSize(1);
    }

    @Test
    void spreadsLettersOverTimeWhenThereIsARate() {
        List<Long> at = new ArrayList<>();
        BulkResult result = withRate(50).run(deadLetters(12, 1), (operatorAction, chunk) -> {
            chunkSizes.add(chunk.size());
            at.add(now / 1_000_000);
            return changed(chunk, operatorAction);
        });

        assertThat(chunkSizes).as("ten steps a second").containsExactly(5, 5, 2);
        assertThat(at).as("ms").containsExactly(0L, 100L, 200L);
        assertThat(result.changed()).isEqualTo(12);
    }

    @Test
    void doesNotMakeUpForASlowTransaction() {
        List<Long> at = new ArrayList<>();
        withRate(1).run(deadLetters(4, 1), (operatorAction, chunk) -> {
            at.add(now / 1_000_000);
            if (at.size() == 2) {
                now += 5_000_000_000L;
            }
            return changed(chunk, operatorAction);
        });

        assertThat(at).as("never more than one in a second").containsExactly(0L, 1000L, 6000L, 7000L);
    }

    @Test
    void stopsWhenItsThreadIsInterruptedWhileItWaits() {
        BulkRunner.Rate interrupted = new BulkRunner.Rate(10, () -> now, nanos -> {
            throw new InterruptedException();
        });
        BulkRunner slow = new BulkRunner(
                BulkAction.by("ann", "test"), interrupted, new QueueRow(1, "q", 64), "queue=q", 5, status -> true);

        assertThatThrownBy(() -> slow.run(deadLetters(5, 1), (operatorAction, chunk) -> changed(chunk, operatorAction)))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("stopped after 1 of them");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void replaysInTheOrderOfDeathsWithoutOrderingKeys() {
        List<Letter> letters = List.of(deadLetter(1, "", 9, 1), deadLetter(2, "", 5, 2), deadLetter(3, "", 7, 3));

        assertThat(BulkRunner.inReplayOrder(letters)).isEqualTo(letters);
    }

    @Test
    void replaysTheLettersOfAKeyInTheOrderInWhichTheyWereEnqueued() {
        Letter second = deadLetter(1, "k", 2, 1);
        Letter other = deadLetter(2, "l", 9, 2);
        Letter third = deadLetter(3, "k", 3, 3);
        Letter none = deadLetter(4, "", 0, 4);
        Letter first = deadLetter(5, "k", 1, 5); // was replayed and dead-lettered again

        assertThat(BulkRunner.inReplayOrder(List.of(second, other, third, none, first)))
                .containsExactly(first, other, second, none, third);
    }

    @Test
    void replaysLettersOfOneStatementInTheOrderOfTheBytesOfTheirUids() {
        Letter high = deadLetter(1, "k", 1, Long.MIN_VALUE);
        Letter low = deadLetter(2, "k", 1, Long.MAX_VALUE);

        assertThat(BulkRunner.inReplayOrder(List.of(high, low))).containsExactly(low, high);
    }

    private BulkRunner withRate(int perSecond) {
        BulkRunner.Rate rate = new BulkRunner.Rate(perSecond, () -> now, nanos -> now += nanos);
        return new BulkRunner(
                BulkAction.by("ann", "test"), rate, new QueueRow(1, "q", 64), "queue=q", 1000, status -> true);
    }

    private static ActionResult changed(List<Letter> chunk, OperatorAction operatorAction) {
        return new ActionResult(chunk.size(), 0, 0, operatorAction.bulk() == null ? 0 : 7);
    }

    private static TransientQueueException failure(int code) {
        return new TransientQueueException("no", new SQLException("no", "40001", code));
    }

    private static List<Letter> deadLetters(int count, int size) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Letter(Instant.EPOCH, new UUID(0, i), 0, "", Instant.EPOCH, size, 0))
                .toList();
    }

    private static Letter deadLetter(int diedAt, String orderingKey, int enqueued, long number) {
        return new Letter(
                Instant.EPOCH.plusSeconds(diedAt),
                new UUID(0x7000, number),
                0,
                orderingKey,
                Instant.EPOCH.plusSeconds(enqueued),
                10,
                0);
    }
}
