package io.acidq.examples.orders;

import java.math.BigDecimal;

/**
 * A placed order, and the payload of its message.
 *
 * @param id         its number
 * @param customerId who placed it
 * @param seq        which of the customer's orders it is: 1 for the first
 * @param amount     its price
 */
record Order(long id, int customerId, int seq, BigDecimal amount) {}
