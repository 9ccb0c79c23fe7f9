package io.acidq.spring.publish;

import io.acidq.spring.PublishedTo;
import io.acidq.spring.expression.AnnotationAttributes;
import io.acidq.spring.expression.ExpressionVariables;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Event listener that enqueues events whose type has {@link PublishedTo}, in the transaction of the call that publishes them. Thread-safe. */
final class PublishedEventListener implements GenericApplicationListener {

    private static final ExpressionVariables VARIABLES = ExpressionVariables.of("event");

    private final Map<Class<?>, List<PublishOperation>> known = new ConcurrentHashMap<>();
    private final AnnotationAttributes attributes;
    private final BeanResolver beans;
    private final Publisher publisher;

    PublishedEventListener(ConfigurableBeanFactory beanFactory) {
        this.attributes = new AnnotationAttributes(beanFactory);
        this.beans = new BeanFactoryResolver(beanFactory);
        this.publisher = new Publisher(new PublishTargetResolver(beanFactory));
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        Class<?> type = eventType.toClass();
        if (PayloadApplicationEvent.class.isAssignableFrom(type)) {
            type = eventType.as(PayloadApplicationEvent.class).getGeneric().toClass();
        }
        return type == Object.class || !annotations(type).isEmpty();
    }

    /** Refuses execution on another thread, because the transaction belongs to the caller's thread. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Runs before other listeners, so that they have no effects if the event is refused. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent published) {
        Object event = published instanceof PayloadApplicationEvent<?> payload ? payload.getPayload() : published;
        List<PublishOperation> operations = operations(event.getClass());
        publisher.requireTransaction(operations, "The event was not enqueued");
        publisher.publish(operations, () -> context(event), event);
    }

    private EvaluationContext context(Object event) {
        StandardEvaluationContext context = new StandardEvaluationContext(event);
        context.setVariable("event", event);
        context.setBeanResolver(beans);
        return context;
    }

    private List<PublishOperation> operations(Class<?> type) {
        List<PublishOperation> operations = known.get(type);
        if (operations == null) {
            operations = annotations(type).stream()
                    .map(a -> new PublishOperation("@PublishedTo on " + type.getName(), a, attributes, VARIABLES))
                    .toList();
            known.put(type, operations);
        }
        return operations;
    }

    /** Returns the annotations of the nearest type in the hierarchy that has any. */
    private static List<MergedAnnotation<PublishedTo>> annotations(Class<?> type) {
        List<MergedAnnotation<PublishedTo>> all = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).stream(
                        PublishedTo.class)
                .toList();
        return all.stream()
                .filter(a -> a.getAggregateIndex() == all.get(0).getAggregateIndex())
                .toList();
    }
}
