package io.acidq.examples.tutorial;

/**
 * A customer who shall be reminded of unspent points.
 *
 * @param customer who
 */
record Reminder(int customer) {}
