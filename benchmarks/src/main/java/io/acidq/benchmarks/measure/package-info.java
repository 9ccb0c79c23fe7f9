/** The figures of a run, its costs, and the audit of its messages. */
@NullMarked
package io.acidq.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
