package io.acidq.spring.listener;

import io.acidq.Delivery;
import io.acidq.MessageRejectedException;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.spring.expression.AttributeExpression;
import io.acidq.spring.expression.ExpressionVariables;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * A listener with a {@code condition}: a message that does not meet it is done without a call of the method. Thread-safe.
 *
 * @param handler    the method
 * @param expression the condition
 * @param beans      the beans that the condition may name
 */
record ConditionalHandler<T>(ListenerHandler<T> handler, AttributeExpression expression, BeanFactoryResolver beans)
        implements ListenerHandler<T> {

    private static final ExpressionVariables VARIABLES = ExpressionVariables.of("payload", "headers", "delivery");

    /**
     * A handler with this condition.
     *
     * @param written the attribute, with its placeholders resolved; the handler stays as it is where this is empty
     */
    static <T> ListenerHandler<T> of(ListenerHandler<T> handler, String written, BeanFactory beanFactory) {
        AttributeExpression expression = AttributeExpression.parse("condition", written, VARIABLES);
        return expression == null
                ? handler
                : new ConditionalHandler<>(handler, expression, new BeanFactoryResolver(beanFactory));
    }

    @Override
    public Outcome handle(T payload, Delivery delivery) throws Exception {
        return accepts(payload, delivery) ? handler.handle(payload, delivery) : Outcome.done();
    }

    @Override
    public List<Outcome> handleAll(List<Item<T>> items) throws Exception {
        List<Item<T>> wanted = new ArrayList<>();
        List<Boolean> met = new ArrayList<>();
        for (Item<T> item : items) {
            boolean meets = accepts(item.payload(), item.delivery());
            met.add(meets);
            if (meets) {
                wanted.add(item);
            }
        }
        Iterator<Outcome> outcomes = wanted.isEmpty()
                ? List.<Outcome>of().iterator()
                : handler.handleAll(wanted).iterator();
        return met.stream()
                .map(meets -> meets ? outcomes.next() : Outcome.done())
                .toList();
    }

    /** Fails the message when the condition is neither true nor false: as false it would be done without a call. */
    private boolean accepts(Object payload, Delivery delivery) {
        StandardEvaluationContext context = new StandardEvaluationContext(payload);
        context.setBeanResolver(beans);
        context.setVariable("payload", payload);
        context.setVariable("headers", delivery.headers());
        context.setVariable("delivery", delivery);
        try {
            return expression.isTrue(context);
        } catch (MessageRejectedException e) {
            throw new QueueMisuseException("@QueueListener on " + handler + ": " + e.getMessage(), e);
        }
    }

    /** For error messages. */
    @Override
    public String toString() {
        return handler.toString();
    }
}
