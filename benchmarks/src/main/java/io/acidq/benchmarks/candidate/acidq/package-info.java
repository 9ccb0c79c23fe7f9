/** AcidQ as a candidate: plain and with Spring, with each claim strategy. */
@NullMarked
package io.acidq.benchmarks.candidate.acidq;

import org.jspecify.annotations.NullMarked;
