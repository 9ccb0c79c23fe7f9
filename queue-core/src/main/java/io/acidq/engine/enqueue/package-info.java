/**
 * Internal: no API. Runs in the caller's transaction: enqueues with their message keys, publishes to topics, withdraws and reschedules scheduled messages, and the
 * inbox.
 */
@NullMarked
package io.acidq.engine.enqueue;

import org.jspecify.annotations.NullMarked;
