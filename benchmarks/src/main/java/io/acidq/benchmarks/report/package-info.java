/** Reports of the results: a table, JSON, plots, and the check of the goals. */
@NullMarked
package io.acidq.benchmarks.report;

import org.jspecify.annotations.NullMarked;
