/** What is measured on a candidate: the workloads, and what they share. */
@NullMarked
package io.acidq.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
