package io.acidq.spring;

import io.acidq.QueueControl;
import io.acidq.engine.Engine;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The control of queues of an engine that may not be built yet.
 *
 * @param engine the engine, asked for at each call
 */
record LateQueueControl(ObjectProvider<Engine> engine) implements QueueControl {

    @Override
    public boolean pause(String queue, String who, String why) {
        return engine.getObject().control().pause(queue, who, why);
    }

    @Override
    public boolean resume(String queue, String who, String why) {
        return engine.getObject().control().resume(queue, who, why);
    }

    @Override
    public boolean isPaused(String queue) {
        return engine.getObject().control().isPaused(queue);
    }
}
