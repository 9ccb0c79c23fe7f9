/**
 * The interface between the benchmarks and a queue ({@link io.acidq.benchmarks.candidate.Candidate}). Subpackages hold the hand-written queues,
 * AcidQ and the peers.
 */
@NullMarked
package io.acidq.benchmarks.candidate;

import org.jspecify.annotations.NullMarked;
