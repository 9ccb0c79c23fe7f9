/** Internal: no API. The way of a message in its node: Poller, Claimer, Buffer, Crew, BatchExecutor, Executor, Judge, Completer; a QueueRun puts them together. */
@NullMarked
package io.acidq.engine.work;

import org.jspecify.annotations.NullMarked;
