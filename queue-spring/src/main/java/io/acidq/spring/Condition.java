package io.acidq.spring;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.MessageRejectedException;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The {@code condition} of a {@link QueueListener}: what does not meet it is done without a call of the method. Thread-safe. */
final class Condition {

    private static final ExpressionVariables VARIABLES = ExpressionVariables.of("payload", "headers", "delivery");

    private final String where;
    private final AttributeExpression expression;
    private final BeanFactoryResolver beans;

    private Condition(String where, AttributeExpression expression, BeanFactory beanFactory) {
        this.where = where;
        this.expression = expression;
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    /**
     * Null when there is none.
     *
     * @param where   the method in words
     * @param written the attribute, with its placeholders resolved
     */
    static @Nullable Condition of(String where, String written, BeanFactory beanFactory) {
        AttributeExpression expression = AttributeExpression.parse("condition", written, VARIABLES);
        return expression == null ? null : new Condition(where, expression, beanFactory);
    }

    /** Fails the message when the condition is neither true nor false: as false it would be done without a call. */
    private boolean isMetBy(Object payload, Delivery delivery) {
        StandardEvaluationContext context = new StandardEvaluationContext(payload);
        context.setBeanResolver(beans);
        context.setVariable("payload", payload);
        context.setVariable("headers", delivery.headers());
        context.setVariable("delivery", delivery);
        try {
            return expression.isTrue(context);
        } catch (MessageRejectedException e) {
            throw new QueueMisuseException("@QueueListener on " + where + ": " + e.getMessage(), e);
        }
    }

    <T> Handler<T> before(Handler<T> handler) {
        return (payload, delivery) -> isMetBy(payload, delivery) ? handler.handle(payload, delivery) : Outcome.done();
    }

    <T> BatchHandler<T> before(BatchHandler<T> handler) {
        return items -> {
            List<BatchHandler.Item<T>> wanted = new ArrayList<>();
            List<Boolean> met = new ArrayList<>();
            for (BatchHandler.Item<T> item : items) {
                boolean meets = isMetBy(item.payload(), item.delivery());
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
        };
    }
}
