/**
 * What is measured: the port that a queue implements to take part ({@link io.acidq.benchmarks.candidate.Candidate}), and in packages of their
 * own the hand-written queues, AcidQ, and the peers that users would pick instead.
 */
@NullMarked
package io.acidq.benchmarks.candidate;

import org.jspecify.annotations.NullMarked;
