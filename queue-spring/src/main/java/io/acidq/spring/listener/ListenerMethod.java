package io.acidq.spring.listener;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/**
 * The call of a listener method. What the method threw comes out as it was thrown, so that retry rules see it.
 *
 * @param where  the method, for error messages
 * @param method the method of the bean, made once
 */
record ListenerMethod<T>(String where, Supplier<InvocableHandlerMethod> method) implements ListenerHandler<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        InvocableHandlerMethod listener = method.get();
        Object returned = invoke(listener, new ReceivedMessage(payload, delivery));
        if (listener.isVoid()) {
            return Outcome.done();
        }
        if (returned == null) {
            throw new QueueMisuseException(
                    "@QueueListener on " + where + " returned null: return an Outcome, or declare void");
        }
        return (Outcome) returned;
    }

    @Override
    @SuppressWarnings("unchecked") // of the return type, which was checked at the start
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        InvocableHandlerMethod listener = method.get();
        List<ReceivedMessage> messages = items.stream()
                .map(item -> new ReceivedMessage(item.payload(), item.delivery()))
                .toList();
        Object returned = invoke(listener, new ReceivedMessage.Batch(messages));
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

    private static @Nullable Object invoke(InvocableHandlerMethod listener, Message<?> message) throws Exception {
        try {
            return listener.invoke(message);
        } catch (UndeclaredThrowableException e) { // a checked exception that passed a proxy
            throw e.getUndeclaredThrowable() instanceof Exception thrown ? thrown : e;
        }
    }

    /** For error messages. */
    @Override
    public String toString() {
        return where;
    }
}
