/**
 * Internal: no API. A node's part of the way of a message, which passes {@code Poller}, {@code MessageBuffer},
 * {@code Worker}, {@code MessageExecutor} (or {@code BatchExecutor}), {@code HandlerInvoker} and
 * {@code OutcomeRecorder}. A {@code ListenerContainer} holds one of each for its queue.
 *
 * <p>Five exceptions roll back the transaction of a run and carry out of it what becomes of its messages. {@code OutcomeRecorder.endAfterException} or
 * {@code recordEnd} ends the message, except where another class is named:
 * <ul>
 * <li>{@code RollbackSignal}: the handler has returned an outcome other than done. {@code MessageExecutor} throws it, and {@code BatchExecutor} makes it the
 *     result of one message. That outcome is written.
 * <li>{@code NotStartedException}: the message has expired, or an operator has cancelled it. {@code StartRules} throws it before the handler is called. The
 *     outcome that it carries is written.
 * <li>{@code ClaimLostException}: the claim no longer holds. It is thrown when the acknowledgement or the read of the payload finds no row, and when the
 *     execution was given up. Nothing is written; the reconciler looks at the claims.
 * <li>{@code RecoverySignal}: the handler has failed, its error handler is to be called, and the transaction cannot commit. {@code HandlerInvoker} throws it.
 *     {@code MessageExecutor} catches it and calls the error handler in a new transaction.
 * <li>{@code MessageNotDoneException}: one message of a shared transaction is not done. {@code BatchExecutor} throws and catches it, and runs the others again.
 * </ul>
 */
@NullMarked
package io.acidq.engine.listener;

import org.jspecify.annotations.NullMarked;
