/** Queues as somebody without a library writes them, and the ceilings: what the server gives when nothing must be claimed. */
@NullMarked
package io.acidq.benchmarks.candidate.handwritten;

import org.jspecify.annotations.NullMarked;
