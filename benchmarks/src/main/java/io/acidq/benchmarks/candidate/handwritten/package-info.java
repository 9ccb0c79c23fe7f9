/** Queues written without a library, and the ceilings, which claim nothing. */
@NullMarked
package io.acidq.benchmarks.candidate.handwritten;

import org.jspecify.annotations.NullMarked;
