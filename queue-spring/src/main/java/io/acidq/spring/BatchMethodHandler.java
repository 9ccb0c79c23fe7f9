package io.acidq.spring;

import io.acidq.BatchHandler;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/**
 * Calls a batch listener method. What the method threw comes out as it was thrown.
 *
 * @param where  the method in words
 * @param method the method of the bean, made once
 */
record BatchMethodHandler<T>(String where, Supplier<InvocableHandlerMethod> method) implements BatchHandler<T> {

    @Override
    @SuppressWarnings("unchecked") // of the return type, which was checked at the start
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        InvocableHandlerMethod listener = method.get();
        List<Received> messages = items.stream()
                .map(item -> new Received(item.payload(), item.delivery()))
                .toList();
        Object returned = MethodHandler.invoke(listener, new ReceivedBatch(messages));
        if (listener.isVoid()) {
            return BatchHandler.allDone(items);
        }
        List<Outcome> outcomes = (List<Outcome>) returned;
        if (outcomes == null || outcomes.size() != items.size()) {
            throw new QueueMisuseException("@QueueListener on " + where + " returned "
                    + (outcomes == null ? "null" : outcomes.size() + " outcomes") + " for " + items.size()
                    + " messages: return one for each, in their order, or declare void");
        }
        return outcomes;
    }

    /** For messages to people. */
    @Override
    public String toString() {
        return where;
    }
}
