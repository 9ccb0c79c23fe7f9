package io.acidq.spring.publish;

import io.acidq.spring.QueueTemplate;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;

/** The beans of {@code @EnableAcidQ} that publish. Public for the annotation, and not API. */
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

    /** One for each place with {@link io.acidq.spring.QueueName}, of the queue and the type that are written there. */
    @Bean
    @Scope(BeanDefinition.SCOPE_PROTOTYPE)
    static QueueTemplate<?> acidqQueueTemplate(InjectionPoint point, ConfigurableListableBeanFactory beanFactory) {
        return new QueueTemplateInjectionPoint(point).template(beanFactory);
    }
}
