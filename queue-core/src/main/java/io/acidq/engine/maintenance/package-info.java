/**
 * Internal: no API. The background tasks of an engine. {@code Rescuer}, {@code Reconciler}, {@code DueMessageMover} and {@code Cleaner} free, requeue,
 * move and remove rows. {@code BacklogMonitor} raises alarms. {@code NodeReporter} and {@code HistoryWriter} write what the engine does and has done.
 * {@code Ticker} enqueues due ticks: {@code TickPlan} decides what becomes of them, and {@code TickEnqueuer} enqueues their messages.
 */
@NullMarked
package io.acidq.engine.maintenance;

import org.jspecify.annotations.NullMarked;
