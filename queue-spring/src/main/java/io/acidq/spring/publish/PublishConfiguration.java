package io.acidq.spring.publish;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueName;
import io.acidq.spring.QueueTemplate;
import io.acidq.spring.expression.AnnotationAttributes;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** Configuration of {@code @EnableAcidQ} for publishing. Public for the annotation only; not API. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public class PublishConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PublishPostProcessor acidqPublishPostProcessor() {
        return new PublishPostProcessor();
    }

    @Bean
    static PublishedEventListener acidqEventPublishing(ConfigurableListableBeanFactory beanFactory) {
        return new PublishedEventListener(beanFactory);
    }

    /**
     * Creates a template for each injection point with {@link QueueName}, with the queue and the type that it declares. The template requests
     * other beans when it is first used, not before.
     */
    @Bean
    @Scope(BeanDefinition.SCOPE_PROTOTYPE)
    static QueueTemplate<?> acidqQueueTemplate(InjectionPoint point, ConfigurableListableBeanFactory beanFactory) {
        MergedAnnotation<QueueName> name =
                MergedAnnotations.from(point.getAnnotations()).get(QueueName.class);
        if (!name.isPresent()) {
            throw new QueueMisuseException(
                    "the QueueTemplate at " + point + " has no queue: annotate it with @QueueName(\"…\")");
        }
        Class<?> type = payloadType(point);
        if (type == null) {
            throw new QueueMisuseException("the QueueTemplate at " + point
                    + " has no type of payloads: declare one, as in QueueTemplate<Order>");
        }
        AnnotationAttributes attributes = new AnnotationAttributes(beanFactory);
        try {
            return template(
                    attributes.resolve("value", name.getString("value")),
                    type,
                    attributes.resolve("transactionManager", name.getString("transactionManager")),
                    new PublishTargetResolver(beanFactory));
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("the QueueTemplate at " + point + ": " + e.getMessage(), e);
        }
    }

    private static <T> QueueTemplate<T> template(
            String queue, Class<T> type, String transactionManager, PublishTargetResolver targets) {
        return QueueTemplate.of(
                new DeferredQueue(() -> targets.resolve(transactionManager).queue()), queue, type);
    }

    private static @Nullable Class<?> payloadType(InjectionPoint point) {
        ResolvableType declared =
                point instanceof DependencyDescriptor dependency ? dependency.getResolvableType() : ResolvableType.NONE;
        return declared.as(QueueTemplate.class).getGeneric(0).resolve();
    }
}
