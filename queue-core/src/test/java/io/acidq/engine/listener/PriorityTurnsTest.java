package io.acidq.engine.listener;

import static io.acidq.Priority.HIGH;
import static io.acidq.Priority.LOW;
import static io.acidq.Priority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Priority;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PriorityTurnsTest {

    private final PriorityTurns turns = new PriorityTurns();

    private List<Priority> take(int count, Set<Priority> withWork) {
        List<Priority> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Priority next = turns.next(withWork::contains);
            turns.take(next);
            taken.add(next);
        }
        return taken;
    }

    @Test
    void sharesTurnsByWeightWhileAllHaveWork() {
        for (int round = 0; round < 10; round++) {
            List<Priority> taken = take(21, EnumSet.allOf(Priority.class));
            assertThat(Collections.frequency(taken, HIGH)).isEqualTo(16);
            assertThat(Collections.frequency(taken, NORMAL)).isEqualTo(4);
            assertThat(Collections.frequency(taken, LOW)).isEqualTo(1);
        }
    }

    @Test
    void givesAllTurnsToTheOnlyPriorityWithWork() {
        assertThat(take(100, Set.of(LOW))).containsOnly(LOW);
        assertThat(turns.next(priority -> false)).isNull();
    }

    @Test
    void startsAHigherPriorityAtOnceAfterALongTimeOfLowerOnes() {
        take(100, Set.of(LOW));
        assertThat(take(1, EnumSet.allOf(Priority.class))).containsExactly(HIGH);
        take(100, Set.of(NORMAL));
        assertThat(take(1, Set.of(HIGH, NORMAL))).containsExactly(HIGH);
    }

    @Test
    void givesNoCreditForTimeWithoutWork() {
        take(1000, Set.of(HIGH));
        List<Priority> taken = take(21, EnumSet.allOf(Priority.class));
        assertThat(Collections.frequency(taken, LOW)).isLessThanOrEqualTo(2);
        assertThat(Collections.frequency(taken, HIGH)).isGreaterThanOrEqualTo(15);
    }
}
