package io.acidq.spring.listener;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.MessageRejectedException;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.HandlerErrorHandler;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.expression.AttributeExpression;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;

/**
 * The handler of a listener method. The engine calls it for one message or for a batch, as the listener declares. An exception of the method is
 * thrown unchanged, so that retry rules can match it. A message that does not meet the {@code condition} is done without a call of the method.
 * Thread-safe.
 */
class ListenerMethod<T> implements Handler<T>, BatchHandler<T> {

    private final String where;
    private final Supplier<InvocableHandlerMethod> method;
    private final @Nullable AttributeExpression condition;
    private final BeanResolver beans;

    /**
     * Creates the handler of a method.
     *
     * @param where  the method and its bean, for error messages
     * @param method supplies the method of the bean
     * @param beans  the beans that the condition can use
     */
    ListenerMethod(
            String where,
            Supplier<InvocableHandlerMethod> method,
            @Nullable AttributeExpression condition,
            BeanResolver beans) {
        this.where = where;
        this.method = method;
        this.condition = condition;
        this.beans = beans;
    }

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        if (!accepts(payload, delivery)) {
            return Outcome.done();
        }
        InvocableHandlerMethod listener = method.get();
        Object returned = invoke(listener, new ReceivedMessage(payload, delivery));
        if (returned instanceof Outcome outcome) {
            return outcome;
        }
        if (returned == null
                && Outcome.class.isAssignableFrom(listener.getReturnType().getParameterType())) {
            throw new QueueMisuseException(
                    "@QueueListener on " + where + " returned null: return an Outcome, or declare void");
        }
        return Outcome.done(returned);
    }

    @Override
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        List<Item<T>> accepted = new ArrayList<>();
        List<Boolean> isAccepted = new ArrayList<>();
        for (Item<T> item : items) {
            boolean accepts = accepts(item.payload(), item.delivery());
            isAccepted.add(accepts);
            if (accepts) {
                accepted.add(item);
            }
        }
        Iterator<Outcome> outcomes = (accepted.isEmpty() ? List.<Outcome>of() : callForAll(accepted)).iterator();
        return isAccepted.stream()
                .map(accepts -> accepts ? outcomes.next() : Outcome.done())
                .toList();
    }

    @SuppressWarnings("unchecked") // the return type was checked at startup
    private List<Outcome> callForAll(List<Item<T>> items) throws Exception {
        InvocableHandlerMethod listener = method.get();
        List<ReceivedMessage> messages = items.stream()
                .map(item -> new ReceivedMessage(item.payload(), item.delivery()))
                .toList();
        List<Outcome> outcomes = (List<Outcome>) invoke(listener, new ReceivedMessage.Batch(messages));
        if (listener.isVoid()) {
            return BatchHandler.allDone(items);
        }
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
        } catch (UndeclaredThrowableException e) { // a checked exception that a proxy has wrapped
            throw e.getUndeclaredThrowable() instanceof Exception thrown ? thrown : e;
        }
    }

    /** Evaluates the condition. A value other than true or false fails the message: as false, the message would be done unprocessed. */
    private boolean accepts(Object payload, Delivery delivery) {
        if (condition == null) {
            return true;
        }
        StandardEvaluationContext context = new StandardEvaluationContext(payload);
        context.setBeanResolver(beans);
        context.setVariable("payload", payload);
        context.setVariable("headers", delivery.headers());
        context.setVariable("delivery", delivery);
        try {
            return condition.isTrue(context);
        } catch (MessageRejectedException e) {
            throw new QueueMisuseException("@QueueListener on " + where + ": " + e.getMessage(), e);
        }
    }

    /** Returns the method and its bean, for error messages of the engine. */
    @Override
    public String toString() {
        return where;
    }

    /**
     * A listener method with an error handler. It is a type of its own because the engine sets a savepoint before each call of a {@link
     * HandlerErrorHandler}.
     */
    static final class WithErrorHandler<T> extends ListenerMethod<T> implements HandlerErrorHandler<T> {

        private final QueueErrorHandler errorHandler;

        WithErrorHandler(
                String where,
                Supplier<InvocableHandlerMethod> method,
                @Nullable AttributeExpression condition,
                BeanResolver beans,
                QueueErrorHandler errorHandler) {
            super(where, method, condition, beans);
            this.errorHandler = errorHandler;
        }

        @Override
        public @Nullable Outcome afterFailure(T payload, Delivery delivery, Exception thrown) throws Exception {
            return errorHandler.handle(new ReceivedMessage(payload, delivery), delivery, thrown);
        }
    }
}
