package io.acidq.examples.adoption;

import java.math.BigDecimal;

/** A placed order. */
record Order(long id, String customer, BigDecimal amount) {}
