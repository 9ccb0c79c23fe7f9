/** Measures AcidQ beside hand-written queues and its peers, on any server: {@link io.acidq.benchmarks.Main}. */
@NullMarked
package io.acidq.benchmarks;

import org.jspecify.annotations.NullMarked;
