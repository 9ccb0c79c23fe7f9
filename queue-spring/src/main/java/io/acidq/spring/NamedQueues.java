package io.acidq.spring;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Registers a {@link io.acidq.MessageQueue} for each {@link QueueEngine}: for those who ask for it by that bean's name, and nobody else. */
final class NamedQueues implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
        for (String name : beanFactory.getBeanNamesForType(QueueEngine.class, true, false)) {
            String queue = name + "MessageQueue";
            if (registry.containsBeanDefinition(queue)) { // read from definitions that were made ahead of time
                continue;
            }
            RootBeanDefinition definition = new RootBeanDefinition(NamedQueue.class);
            definition
                    .getConstructorArgumentValues()
                    .addIndexedArgumentValue(0, new RuntimeBeanReference(QueueEngines.class));
            definition.getConstructorArgumentValues().addIndexedArgumentValue(1, name);
            definition.setDefaultCandidate(false);
            definition.setFallback(true);
            definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            definition.setLazyInit(true);
            registry.registerBeanDefinition(queue, definition);
        }
    }
}
