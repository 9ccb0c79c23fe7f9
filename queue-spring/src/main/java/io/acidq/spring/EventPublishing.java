package io.acidq.spring;

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

/** Enqueues events of types with {@link PublishedTo}, in the transaction of whoever publishes them. Thread-safe. */
final class EventPublishing implements GenericApplicationListener {

    private static final ExpressionVariables VARIABLES = ExpressionVariables.of("event");

    private final Map<Class<?>, List<PublishRule>> known = new ConcurrentHashMap<>();
    private final Placeholders placeholders;
    private final BeanResolver beans;
    private final Publisher publisher;

    EventPublishing(ConfigurableBeanFactory beanFactory) {
        this.placeholders = new Placeholders(beanFactory);
        this.beans = new BeanFactoryResolver(beanFactory);
        this.publisher = new Publisher(new QueueFinder(beanFactory));
    }

    @Override
    public boolean supportsEventType(ResolvableType eventType) {
        Class<?> type = eventType.toClass();
        if (PayloadApplicationEvent.class.isAssignableFrom(type)) {
            type = eventType.as(PayloadApplicationEvent.class).getGeneric().toClass();
        }
        return type == Object.class || !marks(type).isEmpty();
    }

    /** The transaction is the thread's. */
    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    /** Before listeners that have effects, which must not happen where the event is refused. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent published) {
        Object event = published instanceof PayloadApplicationEvent<?> payload ? payload.getPayload() : published;
        List<PublishRule> rules = rules(event.getClass());
        publisher.requireTransaction(rules, "The event was not enqueued");
        publisher.publish(rules, () -> context(event), event);
    }

    private EvaluationContext context(Object event) {
        StandardEvaluationContext context = new StandardEvaluationContext(event);
        context.setVariable("event", event);
        context.setBeanResolver(beans);
        return context;
    }

    private List<PublishRule> rules(Class<?> type) {
        List<PublishRule> rules = known.get(type);
        if (rules == null) {
            rules = marks(type).stream()
                    .map(a -> new PublishRule("@PublishedTo on " + type.getName(), a, placeholders, VARIABLES))
                    .toList();
            known.put(type, rules);
        }
        return rules;
    }

    /** Those of the nearest type that has any. */
    private static List<MergedAnnotation<PublishedTo>> marks(Class<?> type) {
        List<MergedAnnotation<PublishedTo>> all = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).stream(
                        PublishedTo.class)
                .toList();
        return all.stream()
                .filter(a -> a.getAggregateIndex() == all.get(0).getAggregateIndex())
                .toList();
    }
}
