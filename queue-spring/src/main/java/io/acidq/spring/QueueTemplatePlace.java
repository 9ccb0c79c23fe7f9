package io.acidq.spring;

import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * A place that a {@link QueueTemplate} is injected into.
 *
 * @param place the field or the parameter
 */
record QueueTemplatePlace(InjectionPoint place) {

    /** The template that the place asks for. Asks for no other bean before it is used. */
    QueueTemplate<?> template(ConfigurableBeanFactory beanFactory) {
        MergedAnnotation<QueueName> name =
                MergedAnnotations.from(place.getAnnotations()).get(QueueName.class);
        if (!name.isPresent()) {
            throw new QueueMisuseException(
                    "the QueueTemplate at " + place + " has no queue: write @QueueName(\"…\") at it");
        }
        Class<?> type = type();
        if (type == null) {
            throw new QueueMisuseException(
                    "the QueueTemplate at " + place + " has no type of messages: write it as in QueueTemplate<Order>");
        }
        Placeholders placeholders = new Placeholders(beanFactory);
        try {
            return bound(
                    placeholders.resolve("value", name.getString("value")),
                    type,
                    placeholders.resolve("transactionManager", name.getString("transactionManager")),
                    new QueueFinder(beanFactory));
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("the QueueTemplate at " + place + ": " + e.getMessage(), e);
        }
    }

    private static <T> QueueTemplate<T> bound(String queue, Class<T> type, String manager, QueueFinder queues) {
        return new BoundTemplate<>(
                QueueNames.check(queue),
                type,
                (to, messages) -> queues.find(manager).queue().enqueueAll(to, messages));
    }

    private @Nullable Class<?> type() {
        ResolvableType written =
                place instanceof DependencyDescriptor dependency ? dependency.getResolvableType() : ResolvableType.NONE;
        return written.as(QueueTemplate.class).getGeneric(0).resolve();
    }
}
