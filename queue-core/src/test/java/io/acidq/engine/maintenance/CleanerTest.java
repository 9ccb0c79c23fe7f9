package io.acidq.engine.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.store.MaintenanceStore.Pruned;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanerTest {

    private final List<String> pruned = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void pruned(String what, int rows) {
            pruned.add(rows + " " + what);
        }
    };

    @Test
    void runsOneStepOfEachKindAndWaitsLongerWhenThereIsLessToRemove() {
        int[] left = {1200, 30};
        Cleaner cleaner = cleaner(
                new Cleaner.Cleanup("keys", limit -> take(left, 0, limit)),
                new Cleaner.Cleanup("nodes", limit -> take(left, 1, limit)));

        assertThat(cleaner.runOnce()).isEqualTo(Duration.ofMillis(100));
        assertThat(cleaner.runOnce()).isEqualTo(Duration.ofMillis(100));
        assertThat(cleaner.runOnce()).isEqualTo(Duration.ofMinutes(1));
        assertThat(cleaner.runOnce()).as("nothing was left").isEqualTo(Duration.ofMinutes(5));
        assertThat(pruned).containsExactly("500 keys", "30 nodes", "500 keys", "200 keys");
    }

    @Test
    void waitsAMinuteAfterARoundThatRemovedRows() {
        Iterator<Pruned> steps = List.of(new Pruned(500, true), new Pruned(0, false), new Pruned(0, false))
                .iterator();
        Cleaner cleaner = cleaner(new Cleaner.Cleanup("keys", limit -> steps.next()));

        assertThat(cleaner.runOnce()).isEqualTo(Duration.ofMillis(100));
        assertThat(cleaner.runOnce()).isEqualTo(Duration.ofMinutes(1));
        assertThat(cleaner.runOnce()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void runsAllStepsEvenIfOneFails() {
        IllegalStateException first = new IllegalStateException("first");
        IllegalStateException third = new IllegalStateException("third");
        Cleaner cleaner = cleaner(
                new Cleaner.Cleanup("broken", limit -> {
                    throw first;
                }),
                new Cleaner.Cleanup("keys", limit -> new Pruned(3, false)),
                new Cleaner.Cleanup("broken too", limit -> {
                    throw third;
                }));

        assertThatThrownBy(cleaner::runOnce).isSameAs(first).hasSuppressedException(third);
        assertThat(pruned).containsExactly("3 keys");
    }

    private Cleaner cleaner(Cleaner.Cleanup... cleanups) {
        return new Cleaner(List.of(cleanups), telemetry);
    }

    private static Pruned take(int[] left, int part, int limit) {
        int taken = Math.min(limit, left[part]);
        left[part] -= taken;
        return new Pruned(taken, left[part] > 0);
    }
}
