package io.acidq.engine.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.TransientQueueException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkResult;
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

    private final List<Integer> pieces = new ArrayList<>();
    private long now;
    private final List<Long> bulks = new ArrayList<>();
    private final BulkRunner run =
            new BulkRunner(BulkAction.by("ann", "test"), new QueueRow(1, "q", 64), "queue=q", 1000);

    @Test
    void actsOnPiecesOfAHundredAndAddsUpWhatBecameOfThem() {
        BulkResult result = run.run(deadLetters(250, 10), (operatorAction, piece) -> {
            pieces.add(piece.size());
            bulks.add(
                    operatorAction.bulk() == null ? -1L : operatorAction.bulk().id());
            return new ActionResult(piece.size() - 3, 2, 1, 7);
        });

        assertThat(pieces).containsExactly(100, 100, 50);
        assertThat(bulks).as("the first piece made its row").containsExactly(0L, 7L, 7L);
        assertThat(result).isEqualTo(new BulkResult(false, 1000, 241, 6, 3));
        assertThat(result.beyondLimit()).isEqualTo(750);
    }

    @Test
    void takesLargeLettersOneByOne() {
        assertThat(BulkRunner.pieces(deadLetters(3, 2_000_000), 100))
                .extracting(List::size)
                .containsExactly(1, 1, 1);
        assertThat(BulkRunner.pieces(deadLetters(5, 500_000), 100))
                .extracting(List::size)
                .containsExactly(2, 2, 1);
        assertThat(BulkRunner.pieces(List.of(), 100)).isEmpty();
    }

    @Test
    void triesAgainWhatTheDatabaseHasSurelyRolledBack() {
        BulkResult result = run.run(deadLetters(1, 1), (operatorAction, piece) -> {
            pieces.add(piece.size());
            if (pieces.size() < 3) {
                throw failure(DEADLOCK);
            }
            return changed(piece, operatorAction);
        });

        assertThat(pieces).hasSize(3);
        assertThat(result.changed()).isEqualTo(1);
    }

    @Test
    void stopsAtAPieceThatFailsForGoodAndSaysHowFarItCame() {
        assertThatThrownBy(() -> run.run(deadLetters(300, 1), (operatorAction, piece) -> {
                    pieces.add(piece.size());
                    if (pieces.size() > 1) {
                        throw failure(DEADLOCK);
                    }
                    return changed(piece, operatorAction);
                }))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("queue=q")
                .hasMessageContaining("stopped after 100");
        assertThat(pieces).as("the second four times, the third never").hasSize(5);
        assertThat(run.changed()).isEqualTo(100);
    }

    @Test
    void neverTriesAgainWhatMayHaveCommitted() {
        assertThatThrownBy(() -> run.run(deadLetters(1, 1), (operatorAction, piece) -> {
                    pieces.add(1);
                    throw failure(LOST);
                }))
                .isInstanceOf(TransientQueueException.class);
        assertThat(pieces).hasSize(1);
    }

    @Test
    void spreadsItsLettersOverTimeWhenThereIsARate() {
        List<Long> at = new ArrayList<>();
        BulkResult result = paced(50).run(deadLetters(12, 1), (operatorAction, piece) -> {
            pieces.add(piece.size());
            at.add(now / 1_000_000);
            return changed(piece, operatorAction);
        });

        assertThat(pieces).as("ten steps a second").containsExactly(5, 5, 2);
        assertThat(at).as("ms").containsExactly(0L, 100L, 200L);
        assertThat(result.changed()).isEqualTo(12);
    }

    @Test
    void doesNotMakeUpForWhatTheDatabaseTook() {
        List<Long> at = new ArrayList<>();
        paced(1).run(deadLetters(4, 1), (operatorAction, piece) -> {
            at.add(now / 1_000_000);
            if (at.size() == 2) {
                now += 5_000_000_000L;
            }
            return changed(piece, operatorAction);
        });

        assertThat(at).as("never more than one in a second").containsExactly(0L, 1000L, 6000L, 7000L);
    }

    @Test
    void stopsAndSaysHowFarItCameWhenItsThreadIsInterruptedWhileItWaits() {
        BulkRunner.Rate interrupted = new BulkRunner.Rate(10, () -> now, nanos -> {
            throw new InterruptedException();
        });
        BulkRunner slow =
                new BulkRunner(BulkAction.by("ann", "test"), interrupted, new QueueRow(1, "q", 64), "queue=q", 5);

        assertThatThrownBy(() -> slow.run(deadLetters(5, 1), (operatorAction, piece) -> changed(piece, operatorAction)))
                .isInstanceOf(TransientQueueException.class)
                .hasMessageContaining("stopped after 1 of them");
        assertThat(Thread.interrupted()).isTrue();
    }

    private BulkRunner paced(int perSecond) {
        BulkRunner.Rate rate = new BulkRunner.Rate(perSecond, () -> now, nanos -> now += nanos);
        return new BulkRunner(BulkAction.by("ann", "test"), rate, new QueueRow(1, "q", 64), "queue=q", 1000);
    }

    private static ActionResult changed(List<Letter> piece, OperatorAction operatorAction) {
        return new ActionResult(piece.size(), 0, 0, operatorAction.bulk() == null ? 0 : 7);
    }

    private static TransientQueueException failure(int code) {
        return new TransientQueueException("no", new SQLException("no", "40001", code));
    }

    private static List<Letter> deadLetters(int count, int size) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Letter(Instant.EPOCH, new UUID(0, i), 0, "", Instant.EPOCH, size, 0))
                .toList();
    }
}
