package io.acidq.benchmarks;

import io.acidq.benchmarks.workload.RunSizes;
import org.jspecify.annotations.Nullable;

/**
 * How often each candidate runs in each scenario.
 *
 * @param sizes  how large a run is
 * @param warmUp how large the run is that only warms up; null when there is none
 * @param runs   after it
 */
record RunCounts(RunSizes sizes, @Nullable RunSizes warmUp, int runs) {

    private static final long WORTH_WARMING_UP = 1000;

    RunCounts {
        RunSizes.require(runs >= 1, "--runs must be at least 1, was " + runs);
    }

    /** With a brief run that warms up; runs that are smaller than that are only tried out. */
    RunCounts(RunSizes runSizes, int runs) {
        this(runSizes, runSizes.messages() >= WORTH_WARMING_UP ? runSizes.brief() : null, runs);
    }
}
