package io.acidq.examples.spring;

/** A placed order, and the payload of its message. */
record Order(long id, String article) {}
