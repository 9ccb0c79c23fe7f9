package io.acidq.examples.idempotent;

/** The payload of {@code receipt.due}: the order that the customer gets one receipt for. */
record Receipt(long order) {}
