package io.acidq.test.boot;

import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngine;
import io.acidq.store.Store;
import io.acidq.test.InlineProcessing;
import io.acidq.test.TestQueue;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The engines of the application in the hands of the test. */
@AutoConfiguration(afterName = "io.acidq.boot.AcidqAutoConfiguration")
class TestQueueAutoConfiguration {

    /** Before anything can start it, and whatever would. */
    @Bean
    static BeanPostProcessor acidqManualEngines() {
        return new ManualEngines();
    }

    /** Of the main engine. Not there when there are several beans of it: each has a {@code TestQueue.of(engine)}. */
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(Engine.class)
    TestQueue testQueue(Engine engine, ObjectProvider<InlineProcessing> inline) {
        InlineProcessing runs = inline.getIfAvailable();
        return runs == null ? TestQueue.of(engine) : runs.start(engine);
    }

    /** Of each further database. */
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
                engine.stepped();
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
}
