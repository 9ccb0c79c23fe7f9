/**
 * The runtime and the only composition root. A message passes {@code TransactionalQueue} (enqueue), {@code Poller},
 * {@code Claimer}, {@code MessageBuffer}, {@code MessageExecutor} and {@code OutcomeRecorder}; beside that way stand the small periodic tasks
 * ({@code Heartbeat}, {@code NodeMonitor}, {@code Rescuer}, {@code Reconciler}, {@code DueMessageMover}), each with a {@code runOnce()}.
 */
@NullMarked
package io.acidq.engine;

import org.jspecify.annotations.NullMarked;
