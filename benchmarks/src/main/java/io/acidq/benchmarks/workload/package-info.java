/** The workloads, and the steps that they share. */
@NullMarked
package io.acidq.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
