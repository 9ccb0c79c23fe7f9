package io.acidq.spring;

import io.acidq.AuditLog;
import io.acidq.BlockedKeys;
import io.acidq.DeadLetters;
import io.acidq.Inbox;
import io.acidq.MessageQueue;
import io.acidq.QueueControl;
import io.acidq.config.EngineConfig;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** The beans behind {@link EnableAcidQ}. All that an application may bring itself is a fallback. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
class AcidqConfiguration {

    /** Lazy: built by the lifecycle when all beans are there, or by the first enqueue before that. */
    @Bean
    @Lazy
    @Fallback
    Engine acidqEngine(Store store, ObjectProvider<EngineConfig> config, QueueEngines engines) {
        return engines.build(QueueEngines.MAIN, store, config.getIfAvailable());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static NamedQueues acidqNamedQueues() {
        return new NamedQueues();
    }

    @Bean
    QueueEngines acidqEngines(ConfigurableListableBeanFactory beanFactory) {
        return new QueueEngines(beanFactory);
    }

    /** Not the engine's own queue, but one that asks for it: services which enqueue may be there before the listeners are known. */
    @Bean
    @Fallback
    MessageQueue acidqMessageQueue(ObjectProvider<Engine> engine) {
        return (queue, messages) -> engine.getObject().queue().enqueueAll(queue, messages);
    }

    @Bean
    @Fallback
    DeadLetters acidqDeadLetters(ObjectProvider<Engine> engine) {
        return new LateDeadLetters(engine);
    }

    @Bean
    @Fallback
    BlockedKeys acidqBlockedKeys(ObjectProvider<Engine> engine) {
        return new LateBlockedKeys(engine);
    }

    @Bean
    @Fallback
    QueueControl acidqQueueControl(ObjectProvider<Engine> engine) {
        return new LateQueueControl(engine);
    }

    @Bean
    @Fallback
    AuditLog acidqAuditLog(ObjectProvider<Engine> engine) {
        return new LateAuditLog(engine);
    }

    @Bean
    @Fallback
    Inbox acidqInbox(ObjectProvider<Engine> engine) {
        return new LateInbox(() -> engine.getObject().inbox());
    }

    @Bean
    ListenerFactory acidqListeners(ConfigurableListableBeanFactory beanFactory, QueueEngines engines) {
        return new ListenerFactory(beanFactory, engines);
    }

    @Bean
    @Fallback
    QueueListenerRegistry acidqListenerRegistry(ListenerFactory listeners, QueueEngines engines) {
        return new EngineListeners(listeners, engines);
    }

    @Bean
    EngineLifecycle acidqLifecycle(QueueEngines engines, ListenerFactory listeners) {
        return new EngineLifecycle(engines, listeners);
    }
}
