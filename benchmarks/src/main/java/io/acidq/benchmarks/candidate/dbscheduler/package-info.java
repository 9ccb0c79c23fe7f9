/** db-scheduler as a candidate. */
@NullMarked
package io.acidq.benchmarks.candidate.dbscheduler;

import org.jspecify.annotations.NullMarked;
