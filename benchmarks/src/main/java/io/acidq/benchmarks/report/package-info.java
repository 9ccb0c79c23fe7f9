/** What came of it, for people and for programs: a table, JSON, and plots. */
@NullMarked
package io.acidq.benchmarks.report;

import org.jspecify.annotations.NullMarked;
