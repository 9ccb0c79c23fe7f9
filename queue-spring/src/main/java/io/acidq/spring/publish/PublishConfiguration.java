package io.acidq.spring.publish;

import io.acidq.spring.QueueTemplate;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;

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
    static EventPublishing acidqEventPublishing(ConfigurableListableBeanFactory beanFactory) {
        return new EventPublishing(beanFactory);
    }

    /** Creates a template for each injection point with {@link io.acidq.spring.QueueName}, with the queue and the type that it declares. */
    @Bean
    @Scope(BeanDefinition.SCOPE_PROTOTYPE)
    static QueueTemplate<?> acidqQueueTemplate(InjectionPoint point, ConfigurableListableBeanFactory beanFactory) {
        return new QueueTemplateInjectionPoint(point).template(beanFactory);
    }
}
