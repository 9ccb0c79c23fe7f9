package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LaneRestsTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1000); // nanoTime may overflow
    private final LaneRests rests = new LaneRests(now::get, Duration.ofMillis(250));

    @Test
    void restsTwiceAsLongEachTimeUpToAQuarterOfASecond() {
        rests.rest(3, null, false);
        assertThat(rests.isResting(3)).isTrue();
        pass(Duration.ofMillis(2));
        assertThat(rests.isResting(3)).isFalse();
        for (int i = 0; i < 20; i++) {
            rests.rest(3, null, false);
        }
        pass(Duration.ofMillis(249));
        assertThat(rests.isResting(3)).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(rests.isResting(3)).isFalse();
    }

    @Test
    void restsLongerAtFirstWhereSomebodyTellsWhenAKeyBecomesFree() {
        rests.rest(3, null, true);
        pass(Duration.ofMillis(31));
        assertThat(rests.isResting(3)).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(rests.isResting(3)).isFalse();
    }

    @Test
    void restsNoLongerThanUntilSomethingIsDue() {
        for (int i = 0; i < 20; i++) {
            rests.rest(3, null, false);
        }
        rests.rest(3, Duration.ofMillis(7), false);
        assertThat(rests.untilNext(Duration.ofSeconds(1))).isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void namesALaneWhoseRestIsOverOnceUntilItRestsAgain() {
        rests.rest(3, null, false);
        rests.rest(4, Duration.ofHours(1), false);
        rests.rest(4, null, false);
        assertThat(rests.rested()).isEmpty();
        pass(Duration.ofMillis(2));
        assertThat(rests.rested()).containsExactly(3);
        assertThat(rests.rested()).isEmpty();
        assertThat(rests.untilNext(Duration.ofSeconds(1))).as("of lane 4").isEqualTo(Duration.ofMillis(2));
        rests.rest(3, null, false);
        pass(Duration.ofMillis(4));
        assertThat(rests.rested()).containsExactlyInAnyOrder(3, 4);
    }

    @Test
    void beginsAnewAfterALaneGaveSomething() {
        for (int i = 0; i < 20; i++) {
            rests.rest(3, null, false);
        }
        rests.forget(3);
        assertThat(rests.isResting(3)).isFalse();
        assertThat(rests.untilNext(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void restsForAMomentAfterOneKeyAndDidNotGiveNothing() {
        rests.rest(3, null, true);
        assertThat(rests.gaveNothing(3)).isTrue();
        rests.restAfterOneKey(3);
        assertThat(rests.gaveNothing(3)).isFalse();
        pass(Duration.ofMillis(31));
        assertThat(rests.isResting(3)).isTrue();
        pass(Duration.ofMillis(1));
        assertThat(rests.rested()).containsExactly(3);
        rests.rest(3, null, false);
        assertThat(rests.untilNext(Duration.ofSeconds(1)))
                .as("as if for the first time")
                .isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void remembersForATenthOfASecondThatALaneGaveNothing() {
        assertThat(rests.gaveNothingOfLate(3)).isFalse();
        rests.rest(3, null, false);
        rests.forget(3);
        pass(Duration.ofMillis(99));
        assertThat(rests.gaveNothingOfLate(3)).isTrue();
        rests.restAfterOneKey(3);
        pass(Duration.ofMillis(1));
        assertThat(rests.gaveNothingOfLate(3)).isFalse();
        rests.rest(3, null, false);
        rests.clear();
        assertThat(rests.gaveNothingOfLate(3)).isFalse();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
