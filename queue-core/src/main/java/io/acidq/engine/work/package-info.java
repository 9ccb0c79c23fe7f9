/** Internal: no API. The way of a message in its node: Poller, Claimer, MessageBuffer, Worker, BatchExecutor, MessageExecutor, HandlerInvoker, OutcomeRecorder; a QueueRun puts them together. */
@NullMarked
package io.acidq.engine.work;

import org.jspecify.annotations.NullMarked;
