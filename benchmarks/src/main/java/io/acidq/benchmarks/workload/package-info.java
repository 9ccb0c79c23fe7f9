/** What is measured on a candidate: the workloads, what they share, and the audit that follows each run. */
@NullMarked
package io.acidq.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
