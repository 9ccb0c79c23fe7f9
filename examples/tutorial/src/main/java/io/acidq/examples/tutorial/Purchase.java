package io.acidq.examples.tutorial;

/**
 * A purchase of a customer, which is the payload of its message.
 *
 * @param number   given by the till
 * @param customer who bought
 * @param cents    the price
 */
record Purchase(String number, int customer, int cents) {}
