/**
 * What is measured: the port that a queue implements to take part ({@link io.acidq.benchmarks.candidate.Candidate}), the hand-written queues, and
 * AcidQ.
 */
@NullMarked
package io.acidq.benchmarks.candidate;

import org.jspecify.annotations.NullMarked;
