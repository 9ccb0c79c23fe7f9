package io.acidq.test.boot;

import io.acidq.engine.Engine;
import io.acidq.engine.ManualEngine;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueEngines;
import io.acidq.store.Store;
import io.acidq.test.InlineProcessing;
import io.acidq.test.TestQueue;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of {@link TestQueue} beans. The engines of the application do not start. */
@AutoConfiguration(afterName = "io.acidq.boot.AcidqAutoConfiguration")
class TestQueueAutoConfiguration {

    /** Switches engines to manual mode when they are created, before anything can start them. */
    @Bean
    static BeanPostProcessor acidqManualEngines() {
        return new ManualEngines();
    }

    /** The test queue of the main engine. With several engine beans there is none; use {@code TestQueue.of(engine)}. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(Engine.class)
    TestQueue testQueue(Engine engine, ObjectProvider<InlineProcessing> inline) {
        InlineProcessing processing = inline.getIfAvailable();
        return processing == null ? TestQueue.of(engine) : processing.start(engine);
    }

    /** The test queues of further databases. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(QueueEngine.class)
    static class Further {

        @Bean
        static FurtherTestQueues acidqFurtherTestQueues() {
            return new FurtherTestQueues();
        }
    }

    @Bean
    @ConditionalOnProperty(prefix = "acidqtest", name = "inline")
    static InlineProcessing acidqInline() {
        return new InlineProcessing();
    }

    @Bean
    @ConditionalOnProperty(prefix = "acidqtest", name = "inline")
    static BeanPostProcessor acidqInlineStores(ObjectProvider<InlineProcessing> inline) {
        return new InlineStores(inline);
    }

    private static final class ManualEngines implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof Engine engine) {
                ManualEngine.takeOver(engine);
            }
            return bean;
        }
    }

    private record InlineStores(ObjectProvider<InlineProcessing> inline) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Store store ? inline.getObject().over(store) : bean;
        }
    }

    /** Registers a {@link TestQueue} for each {@link QueueEngine}, which is injected only with the engine bean's name as qualifier. */
    static final class FurtherTestQueues implements BeanFactoryPostProcessor {

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
            BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beanFactory;
            for (String name : beanFactory.getBeanNamesForType(QueueEngine.class, true, false)) {
                RootBeanDefinition definition = new RootBeanDefinition(TestQueue.class);
                definition.setInstanceSupplier(() ->
                        TestQueue.of(beanFactory.getBean(QueueEngines.class).engine(name)));
                definition.setDefaultCandidate(false);
                definition.setFallback(true);
                definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
                definition.setLazyInit(true);
                registry.registerBeanDefinition(name + "TestQueue", definition);
            }
        }
    }
}
