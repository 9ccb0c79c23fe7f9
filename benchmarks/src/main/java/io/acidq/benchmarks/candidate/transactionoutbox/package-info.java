/** transaction-outbox as a candidate. */
@NullMarked
package io.acidq.benchmarks.candidate.transactionoutbox;

import org.jspecify.annotations.NullMarked;
