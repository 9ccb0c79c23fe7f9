/**
 * Spring's transactions behind the port of the store. API is {@link io.acidq.spring.transaction.SpringTransactions}; the other types find
 * transactions that a handler lost, left open, or uses after their end.
 */
@NullMarked
package io.acidq.spring.transaction;

import org.jspecify.annotations.NullMarked;
