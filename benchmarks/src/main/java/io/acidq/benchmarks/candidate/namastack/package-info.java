/** Namastack Outbox as a candidate. */
@NullMarked
package io.acidq.benchmarks.candidate.namastack;

import org.jspecify.annotations.NullMarked;
