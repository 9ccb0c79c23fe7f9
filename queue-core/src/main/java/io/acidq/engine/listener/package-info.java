/**
 * Internal: no API. The way of a message in its node: {@code Poller}, {@code LaneSchedule}, {@code Claimer}, {@code MessageBuffer},
 * {@code Worker}, {@code BatchExecutor}, {@code MessageExecutor}, {@code HandlerInvoker}, {@code OutcomeRecorder}. A
 * {@code ListenerContainer} holds them for one queue.
 */
@NullMarked
package io.acidq.engine.listener;

import org.jspecify.annotations.NullMarked;
