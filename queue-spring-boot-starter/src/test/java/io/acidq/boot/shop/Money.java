package io.acidq.boot.shop;

/** A type that only the application's own TypeHandler can write. */
public record Money(long cents) {}
