package io.acidq.test.boot;

import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueEngines;
import io.acidq.test.TestQueue;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Registers a {@link TestQueue} for each {@link QueueEngine}: for those who ask for it by that bean's name, and nobody else. */
final class FurtherTestQueues implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
        for (String name : beanFactory.getBeanNamesForType(QueueEngine.class, true, false)) {
            RootBeanDefinition definition = new RootBeanDefinition(TestQueue.class);
            definition.setInstanceSupplier(
                    () -> TestQueue.of(beanFactory.getBean(QueueEngines.class).engine(name)));
            definition.setDefaultCandidate(false);
            definition.setFallback(true);
            definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            definition.setLazyInit(true);
            registry.registerBeanDefinition(name + "TestQueue", definition);
        }
    }
}
