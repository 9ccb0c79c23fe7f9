/**
 * Implements the store's transactions with Spring. {@link io.acidq.spring.transaction.SpringTransactions} is API; the other types detect that a
 * handler has lost a transaction, left it open, or used it after its end.
 */
@NullMarked
package io.acidq.spring.transaction;

import org.jspecify.annotations.NullMarked;
