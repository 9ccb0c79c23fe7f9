package io.acidq.examples.plain;

/** A sent invoice, and the payload of its message. */
record Invoice(long number, String customer, int cents) {}
