/** Spring Integration's JDBC channel as a candidate. */
@NullMarked
package io.acidq.benchmarks.candidate.springintegration;

import org.jspecify.annotations.NullMarked;
