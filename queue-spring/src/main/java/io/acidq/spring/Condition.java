package io.acidq.spring;

import io.acidq.BatchHandler;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The {@code condition} of a {@link QueueListener}: what does not meet it is done without a call of the method. Thread-safe. */
final class Condition {

    private final Expression expression;
    private final BeanFactoryResolver beans;

    private Condition(Expression expression, BeanFactory beanFactory) {
        this.expression = expression;
        this.beans = new BeanFactoryResolver(beanFactory);
    }

    static Condition of(String written, BeanFactory beanFactory) {
        try {
            return new Condition(new SpelExpressionParser().parseExpression(written), beanFactory);
        } catch (ParseException e) {
            throw new QueueMisuseException(
                    "condition '" + written + "' is no SpEL expression (" + e.getMessage()
                            + "): write one such as #payload.total > 100",
                    e);
        }
    }

    private boolean isMetBy(Object payload, Delivery delivery) {
        StandardEvaluationContext context = new StandardEvaluationContext(payload);
        context.setBeanResolver(beans);
        context.setVariable("payload", payload);
        context.setVariable("headers", delivery.headers());
        context.setVariable("delivery", delivery);
        return Boolean.TRUE.equals(expression.getValue(context, Boolean.class));
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
