package io.acidq.examples.idempotent;

/**
 * A payment provider's event, as it comes by webhook or from a topic.
 *
 * @param eventId the same each time the event arrives
 * @param order   what was paid for
 * @param cents   how much; an order may be paid in parts
 */
record Paid(String eventId, long order, int cents) {}
