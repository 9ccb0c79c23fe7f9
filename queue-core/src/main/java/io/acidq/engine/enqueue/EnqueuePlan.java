package io.acidq.engine.enqueue;

import io.acidq.Enqueued;
import io.acidq.store.EnqueueStore.KeyWrite;
import io.acidq.store.MessageRow;
import java.util.List;

/**
 * What became of the messages of an enqueue, as far as their keys decide.
 *
 * @param results one for each message, in the order given
 * @param rows    those to insert, in that order
 * @param writes  keys to write when they are inserted
 */
record EnqueuePlan(List<Enqueued> results, List<MessageRow> rows, List<KeyWrite> writes) {}
