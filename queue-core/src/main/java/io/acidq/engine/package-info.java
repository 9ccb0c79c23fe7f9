/**
 * The engine and its only composition root. A message passes {@code TransactionalQueue.enqueueAll},
 * {@code Poller.runOnce}, {@code MessageBuffer}, {@code Worker.run}, {@code MessageExecutor.execute} (or
 * {@code BatchExecutor}), {@code HandlerInvoker} and {@code OutcomeRecorder}. Periodic tasks run beside that way, such
 * as {@code Heartbeat}, {@code NodeMonitor}, {@code Rescuer}, {@code Reconciler} and {@code DueMessageMover}.
 */
@NullMarked
package io.acidq.engine;

import org.jspecify.annotations.NullMarked;
