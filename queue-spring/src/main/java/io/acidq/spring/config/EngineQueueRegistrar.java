package io.acidq.spring.config;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Published;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueEngines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Registers a {@link MessageQueue} bean for each {@link QueueEngine}. It is injected only where the name of that engine is the qualifier. */
final class EngineQueueRegistrar implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
        BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
        for (String name : beanFactory.getBeanNamesForType(QueueEngine.class, true, false)) {
            String queue = name + "MessageQueue";
            if (registry.containsBeanDefinition(queue)) { // it was generated ahead of time
                continue;
            }
            RootBeanDefinition definition = new RootBeanDefinition(EngineQueue.class);
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

    /**
     * The queue of an engine that may not be built yet.
     *
     * @param engines the engines of the application
     * @param engine  the name of the engine
     */
    record EngineQueue(QueueEngines engines, String engine) implements MessageQueue {

        @Override
        public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
            return engines.engine(engine).queue().enqueueAll(queue, messages);
        }

        @Override
        public WithdrawResult withdraw(String queue, String key) {
            return engines.engine(engine).queue().withdraw(queue, key);
        }

        @Override
        public RescheduleResult reschedule(String queue, String key, Duration delay) {
            return engines.engine(engine).queue().reschedule(queue, key, delay);
        }

        @Override
        public RescheduleResult reschedule(String queue, String key, Instant at) {
            return engines.engine(engine).queue().reschedule(queue, key, at);
        }

        @Override
        public Published publish(String topic, Object payload, EnqueueOptions options) {
            return engines.engine(engine).queue().publish(topic, payload, options);
        }
    }
}
