package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A race of two transactions on one message: the first pauses at a point, the second runs, then the first ends.
 *
 * @param startState   the state of the message
 * @param first  the operation that pauses
 * @param pausePoint   the point at which it pauses
 * @param commits whether it then commits
 * @param second  the operation that runs in the meantime
 */
record RaceCase(
        StartState startState,
        MessageOperation first,
        PausableDataSource.PausePoint pausePoint,
        boolean commits,
        MessageOperation second) {

    /** The result of one operation. */
    enum OperationResult {
        WON,
        LOST,
        FAILED
    }

    /** The results of both operations, and the message after them. */
    record RaceResult(OperationResult first, OperationResult second, MessageSnapshot snapshot) {}

    /** Fails unless the result equals that of a serial execution, or of an operation that skipped the locked rows. */
    void check(RaceSetup raceSetup, MessageSnapshot start, RaceResult raceResult) {
        assertThat(allowed(raceSetup, start)).contains(raceResult);
        if (pausePoint == PausableDataSource.PausePoint.BEFORE_END && commits) {
            assertThat(raceResult.first)
                    .as("who has written all does not lose any more")
                    .isEqualTo(startState.allows(first) ? OperationResult.WON : OperationResult.LOST);
        }
        List<MessageOperation> won = winners(raceResult);
        assertThat(won.stream().filter(MessageOperation::endsTheClaim))
                .as("ends of one claim")
                .hasSizeLessThan(2);
        assertThat(raceResult.snapshot.counts().effects()).isEqualTo(won.contains(MessageOperation.ACK) ? 1 : 0);
        assertThat(raceResult.snapshot.location() == MessageSnapshot.Location.GONE
                        || raceResult.snapshot.claimNo() >= start.claimNo())
                .as("claim numbers never fall")
                .isTrue();
    }

    /** Whether the operations use the same rows. A pause changes only the row of the queue. */
    boolean sharesRows() {
        return (first == MessageOperation.PAUSE) == (second == MessageOperation.PAUSE);
    }

    /** Whether the second operation must wait for locks of the first one, which has written everything and not committed. */
    boolean mustWait() {
        boolean both = startState.allows(first) && startState.allows(second) && sharesRows();
        return pausePoint == PausableDataSource.PausePoint.BEFORE_END && both && !second.skips();
    }

    List<MessageOperation> winners(RaceResult raceResult) {
        List<MessageOperation> won = new ArrayList<>();
        if (raceResult.first == OperationResult.WON) {
            won.add(first);
        }
        if (raceResult.second == OperationResult.WON) {
            won.add(second);
        }
        return won;
    }

    private List<RaceResult> allowed(RaceSetup raceSetup, MessageSnapshot start) {
        MessageSnapshot one = first.after(raceSetup, start);
        MessageSnapshot two = second.after(raceSetup, start);
        Stream<@Nullable RaceResult> raceResults;
        if (!commits) {
            raceResults = Stream.of(
                    new RaceResult(OperationResult.FAILED, answer(two), at(two, start)),
                    second.skips() && sharesRows()
                            ? new RaceResult(OperationResult.FAILED, OperationResult.LOST, start)
                            : null);
        } else {
            MessageSnapshot oneThenTwo = second.after(raceSetup, at(one, start));
            MessageSnapshot twoThenOne = first.after(raceSetup, at(two, start));
            raceResults = Stream.of(
                    new RaceResult(answer(one), answer(oneThenTwo), at(oneThenTwo, at(one, start))),
                    new RaceResult(answer(twoThenOne), answer(two), at(twoThenOne, at(two, start))),
                    second.skips() && sharesRows()
                            ? new RaceResult(answer(one), OperationResult.LOST, at(one, start))
                            : null,
                    first.skips() && sharesRows()
                            ? new RaceResult(OperationResult.LOST, answer(two), at(two, start))
                            : null);
        }
        return raceResults.filter(e -> e != null).distinct().toList();
    }

    private static OperationResult answer(@Nullable MessageSnapshot after) {
        return after == null ? OperationResult.LOST : OperationResult.WON;
    }

    private static MessageSnapshot at(@Nullable MessageSnapshot after, MessageSnapshot before) {
        return after == null ? before : after;
    }

    @Override
    public String toString() {
        String end = pausePoint == PausableDataSource.PausePoint.BEFORE_END
                ? commits ? " and then commits" : " and is then rolled back"
                : "";
        return second + " meets " + first + " that " + pausePoint + end + ", on " + startState;
    }
}
