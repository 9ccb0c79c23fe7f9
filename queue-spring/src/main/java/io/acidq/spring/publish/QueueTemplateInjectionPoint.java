package io.acidq.spring.publish;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import io.acidq.spring.expression.AnnotationAttributes;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * A field or parameter into which a {@link QueueTemplate} is injected.
 *
 * @param point the field or the parameter
 */
record QueueTemplateInjectionPoint(InjectionPoint point) {

    /** Creates the template. It requests other beans when it is first used, not before. */
    QueueTemplate<?> template(ConfigurableBeanFactory beanFactory) {
        MergedAnnotation<QueueName> name =
                MergedAnnotations.from(point.getAnnotations()).get(QueueName.class);
        if (!name.isPresent()) {
            throw new QueueMisuseException(
                    "the QueueTemplate at " + point + " has no queue: annotate it with @QueueName(\"…\")");
        }
        Class<?> type = type();
        if (type == null) {
            throw new QueueMisuseException("the QueueTemplate at " + point
                    + " has no type of payloads: declare one, as in QueueTemplate<Order>");
        }
        AnnotationAttributes attributes = new AnnotationAttributes(beanFactory);
        try {
            return bound(
                    attributes.resolve("value", name.getString("value")),
                    type,
                    attributes.resolve("transactionManager", name.getString("transactionManager")),
                    new PublishTargetResolver(beanFactory));
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("the QueueTemplate at " + point + ": " + e.getMessage(), e);
        }
    }

    private static <T> QueueTemplate<T> bound(
            String queue, Class<T> type, String manager, PublishTargetResolver targets) {
        return QueueTemplate.of(
                (to, messages) -> targets.resolve(manager).queue().enqueueAll(to, messages), queue, type);
    }

    private @Nullable Class<?> type() {
        ResolvableType written =
                point instanceof DependencyDescriptor dependency ? dependency.getResolvableType() : ResolvableType.NONE;
        return written.as(QueueTemplate.class).getGeneric(0).resolve();
    }
}
