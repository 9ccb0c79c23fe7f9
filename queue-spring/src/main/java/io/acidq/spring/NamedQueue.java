package io.acidq.spring;

import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import java.util.List;

/**
 * The queue of an engine that may not be built yet.
 *
 * @param engines knows it
 * @param engine  its name
 */
record NamedQueue(QueueEngines engines, String engine) implements MessageQueue {

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        return engines.engine(engine).queue().enqueueAll(queue, messages);
    }
}
