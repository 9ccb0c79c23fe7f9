/**
 * The runtime and the only composition root. A message passes {@code TransactionalQueue} (enqueue), {@code Poller},
 * {@code Claimer}, {@code Buffer}, {@code MessageExecutor} and {@code OutcomeRecorder}; beside that way stand the small periodic duties
 * ({@code Heart}, {@code Observer}, {@code Rescuer}, {@code Reconciler}, {@code Mover}), each with a {@code runOnce()}.
 */
@NullMarked
package io.acidq.engine;

import org.jspecify.annotations.NullMarked;
