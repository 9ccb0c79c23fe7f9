package io.acidq.examples.jta;

/** The message. */
public record Order(long id) {}
