package io.acidq.examples.orders;

import java.math.BigDecimal;

/** What a customer asks for. */
record NewOrder(int customerId, BigDecimal amount) {}
