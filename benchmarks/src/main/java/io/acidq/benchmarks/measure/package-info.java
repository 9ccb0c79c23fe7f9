/** What is counted in a run: figures, costs, and the audit of its effects. */
@NullMarked
package io.acidq.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
