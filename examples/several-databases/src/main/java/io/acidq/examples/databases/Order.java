package io.acidq.examples.databases;

/** A placed order, and the payload of its message. */
record Order(long id, int cents) {}
