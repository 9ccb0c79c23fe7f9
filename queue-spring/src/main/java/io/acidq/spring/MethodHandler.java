package io.acidq.spring;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/**
 * Calls a listener method for a message. What the method threw comes out as it was thrown, so that retry rules see it.
 *
 * @param where  the method in words
 * @param method the method of the bean, made once
 */
record MethodHandler<T>(String where, Supplier<InvocableHandlerMethod> method) implements Handler<T> {

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        InvocableHandlerMethod listener = method.get();
        Object returned = invoke(listener, new Received(payload, delivery));
        if (listener.isVoid()) {
            return Outcome.done();
        }
        if (returned == null) {
            throw new QueueMisuseException(
                    "@QueueListener on " + where + " returned null: return an Outcome, or declare void");
        }
        return (Outcome) returned;
    }

    static @Nullable Object invoke(InvocableHandlerMethod listener, Message<?> message) throws Exception {
        try {
            return listener.invoke(message);
        } catch (UndeclaredThrowableException e) { // a checked exception that passed a proxy
            throw e.getUndeclaredThrowable() instanceof Exception thrown ? thrown : e;
        }
    }

    /** For messages to people. */
    @Override
    public String toString() {
        return where;
    }
}
