package io.acidq.benchmarks;

import io.acidq.benchmarks.workload.Sizes;

/**
 * How often each candidate runs in each scenario.
 *
 * @param sizes  how large a run is
 * @param warmUp how large the run is that only warms up
 * @param runs   after it
 */
record Series(Sizes sizes, Sizes warmUp, int runs) {

    Series {
        Sizes.require(runs >= 1, "--runs must be at least 1, was " + runs);
    }

    /** With a brief run that warms up. */
    Series(Sizes sizes, int runs) {
        this(sizes, sizes.brief(), runs);
    }
}
