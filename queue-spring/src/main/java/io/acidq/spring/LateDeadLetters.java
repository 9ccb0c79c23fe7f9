package io.acidq.spring;

import io.acidq.DeadLetter;
import io.acidq.DeadLetters;
import io.acidq.MessageId;
import io.acidq.engine.Engine;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The dead letters of an engine that may not be built yet: a bean of the application may have them injected before all listeners are
 * known.
 *
 * @param engine the engine, asked for at each call
 */
record LateDeadLetters(ObjectProvider<Engine> engine) implements DeadLetters {

    @Override
    public List<DeadLetter> list(String queue, int limit) {
        return engine.getObject().deadLetters().list(queue, limit);
    }

    @Override
    public boolean replay(MessageId id) {
        return engine.getObject().deadLetters().replay(id);
    }

    @Override
    public boolean discard(MessageId id) {
        return engine.getObject().deadLetters().discard(id);
    }
}
