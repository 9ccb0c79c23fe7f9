package io.acidq.examples.jpa;

/** The payload of {@code purchase.placed}. */
record PurchasePlaced(long purchase, String article, int quantity) {}
