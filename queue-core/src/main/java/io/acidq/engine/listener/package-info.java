/**
 * Internal: no API. A node's part of the way of a message, which passes {@code Poller}, {@code MessageBuffer},
 * {@code Worker}, {@code MessageExecutor} (or {@code BatchExecutor}), {@code HandlerInvoker} and
 * {@code OutcomeRecorder}. A {@code ListenerContainer} holds one of each for its queue.
 */
@NullMarked
package io.acidq.engine.listener;

import org.jspecify.annotations.NullMarked;
