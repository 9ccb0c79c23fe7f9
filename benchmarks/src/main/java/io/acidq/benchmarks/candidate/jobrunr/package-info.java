/** JobRunr, the free edition, as a candidate. */
@NullMarked
package io.acidq.benchmarks.candidate.jobrunr;

import org.jspecify.annotations.NullMarked;
