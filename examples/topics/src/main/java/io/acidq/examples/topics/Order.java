package io.acidq.examples.topics;

/** The payload of the topic {@code order.placed}. */
record Order(long id, String customer, int cents) {}
