package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two transactions that meet on one message: the first stops at a point, the second comes, and then the first ends.
 *
 * @param stage   the state of the message
 * @param first   what stops
 * @param point   where it stops
 * @param commits how it ends
 * @param second  what comes meanwhile
 */
record Meeting(Stage stage, Verb first, Halt.Point point, boolean commits, Verb second) {

    /** What one of them was told. */
    enum Answer {
        WON,
        LOST,
        FAILED
    }

    /** What both were told, and where the message is then. */
    record Ending(Answer first, Answer second, Whereabouts at) {}

    /** Fails unless all is as if one had come after the other, or had left alone what the other had locked. */
    void check(Subject subject, Whereabouts start, Ending ending) {
        assertThat(allowed(subject, start)).contains(ending);
        if (point == Halt.Point.BEFORE_END && commits) {
            assertThat(ending.first)
                    .as("who has written all does not lose any more")
                    .isEqualTo(stage.allows(first) ? Answer.WON : Answer.LOST);
        }
        List<Verb> won = winners(ending);
        assertThat(won.stream().filter(Verb::endsTheClaim))
                .as("ends of one claim")
                .hasSizeLessThan(2);
        assertThat(ending.at.counts().effects()).isEqualTo(won.contains(Verb.ACK) ? 1 : 0);
        assertThat(ending.at.place() == Whereabouts.Place.GONE || ending.at.claimNo() >= start.claimNo())
                .as("claim numbers never fall")
                .isTrue();
    }

    /** Whether they have rows in common: a pause is of the queue, and neither it nor what meets it waits or gives way. */
    boolean sharesRows() {
        return (first == Verb.PAUSE) == (second == Verb.PAUSE);
    }

    /** Whether the second one has to wait for the lock of the first one, who has written all and not committed. */
    boolean mustWait() {
        boolean both = stage.allows(first) && stage.allows(second) && sharesRows();
        return point == Halt.Point.BEFORE_END && both && !second.skips();
    }

    List<Verb> winners(Ending ending) {
        List<Verb> won = new ArrayList<>();
        if (ending.first == Answer.WON) {
            won.add(first);
        }
        if (ending.second == Answer.WON) {
            won.add(second);
        }
        return won;
    }

    private List<Ending> allowed(Subject subject, Whereabouts start) {
        Whereabouts one = first.after(subject, start);
        Whereabouts two = second.after(subject, start);
        Stream<@Nullable Ending> endings;
        if (!commits) {
            endings = Stream.of(
                    new Ending(Answer.FAILED, answer(two), at(two, start)),
                    second.skips() && sharesRows() ? new Ending(Answer.FAILED, Answer.LOST, start) : null);
        } else {
            Whereabouts oneThenTwo = second.after(subject, at(one, start));
            Whereabouts twoThenOne = first.after(subject, at(two, start));
            endings = Stream.of(
                    new Ending(answer(one), answer(oneThenTwo), at(oneThenTwo, at(one, start))),
                    new Ending(answer(twoThenOne), answer(two), at(twoThenOne, at(two, start))),
                    second.skips() && sharesRows() ? new Ending(answer(one), Answer.LOST, at(one, start)) : null,
                    first.skips() && sharesRows() ? new Ending(Answer.LOST, answer(two), at(two, start)) : null);
        }
        return endings.filter(e -> e != null).distinct().toList();
    }

    private static Answer answer(@Nullable Whereabouts after) {
        return after == null ? Answer.LOST : Answer.WON;
    }

    private static Whereabouts at(@Nullable Whereabouts after, Whereabouts before) {
        return after == null ? before : after;
    }

    @Override
    public String toString() {
        String end = point == Halt.Point.BEFORE_END ? commits ? " and then commits" : " and is then rolled back" : "";
        return second + " meets " + first + " that " + point + end + ", on " + stage;
    }
}
