package io.acidq.examples.tutorial;

/**
 * A customer to remind of unspent points.
 *
 * @param customer who
 */
record Reminder(int customer) {}
