package io.acidq.examples.retry;

/** The payload of {@code money.due}: whose money is to be collected. */
record Due(String account, int cents) {}
