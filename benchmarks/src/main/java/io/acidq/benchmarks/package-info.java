/** Compares AcidQ with hand-written queues and with other libraries, on any server: {@link io.acidq.benchmarks.Main}. */
@NullMarked
package io.acidq.benchmarks;

import org.jspecify.annotations.NullMarked;
