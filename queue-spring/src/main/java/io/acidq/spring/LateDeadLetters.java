package io.acidq.spring;

import io.acidq.BulkAction;
import io.acidq.BulkResult;
import io.acidq.DeadLetter;
import io.acidq.DeadLetterFilter;
import io.acidq.DeadLetterGroup;
import io.acidq.DeadLetterPage;
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
    public List<DeadLetterGroup> groups(String queue, int limit) {
        return own().groups(queue, limit);
    }

    @Override
    public long count(DeadLetterFilter filter) {
        return own().count(filter);
    }

    @Override
    public List<DeadLetter> list(DeadLetterFilter filter, DeadLetterPage page) {
        return own().list(filter, page);
    }

    @Override
    public boolean replay(MessageId id) {
        return own().replay(id);
    }

    @Override
    public boolean replay(MessageId id, String who, String why) {
        return own().replay(id, who, why);
    }

    @Override
    public BulkResult replay(DeadLetterFilter filter, BulkAction action) {
        return own().replay(filter, action);
    }

    @Override
    public boolean editAndReplay(DeadLetter seen, byte[] payload, String who, String why) {
        return own().editAndReplay(seen, payload, who, why);
    }

    @Override
    public boolean discard(MessageId id) {
        return own().discard(id);
    }

    @Override
    public boolean discard(MessageId id, String who, String why) {
        return own().discard(id, who, why);
    }

    @Override
    public BulkResult discard(DeadLetterFilter filter, BulkAction action) {
        return own().discard(filter, action);
    }

    private DeadLetters own() {
        return engine.getObject().deadLetters();
    }
}
