package io.acidq.spring.config;

import io.acidq.Inbox;
import io.acidq.MessageQueue;
import io.acidq.Receipts;
import io.acidq.admin.AuditLog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.QueueControl;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.Subscriptions;
import io.acidq.config.EngineConfig;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.QueueListenerRegistry;
import io.acidq.spring.listener.ListenerFactory;
import io.acidq.spring.publish.DeferredQueue;
import io.acidq.store.Store;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Configuration of {@code @EnableAcidQ}: registers the engine and its parts as beans. A bean that an application may define itself is a
 * fallback here. Public for the annotation only; not API.
 */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@ImportRuntimeHints(LazyProxy.ProxyHints.class)
public class AcidqConfiguration {

    /** Lazy: the lifecycle builds it when all singletons exist, or the first enqueue builds it earlier. */
    @Bean
    @Lazy
    @Fallback
    Engine acidqEngine(Store store, ObjectProvider<EngineConfig> config, ApplicationEngines engines) {
        return engines.build(QueueEngines.MAIN, store, config.getIfAvailable());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static EngineQueueRegistrar acidqEngineQueues() {
        return new EngineQueueRegistrar();
    }

    @Bean
    ApplicationEngines acidqEngines(ConfigurableListableBeanFactory beanFactory) {
        return new ApplicationEngines(beanFactory);
    }

    /** Gets the engine at each call, because services that enqueue can be created before the listeners are known. */
    @Bean
    @Fallback
    MessageQueue acidqMessageQueue(ObjectProvider<Engine> engine) {
        return new DeferredQueue(() -> engine.getObject().queue());
    }

    @Bean
    @Fallback
    DeadLetters acidqDeadLetters(ObjectProvider<Engine> engine) {
        return LazyProxy.of(DeadLetters.class, () -> engine.getObject().deadLetters());
    }

    @Bean
    @Fallback
    Receipts acidqReceipts(ObjectProvider<Engine> engine) {
        return LazyProxy.of(Receipts.class, () -> engine.getObject().receipts());
    }

    @Bean
    @Fallback
    Subscriptions acidqSubscriptions(ObjectProvider<Engine> engine) {
        return LazyProxy.of(Subscriptions.class, () -> engine.getObject().subscriptions());
    }

    @Bean
    @Fallback
    RecurringMessages acidqRecurringMessages(ObjectProvider<Engine> engine) {
        return LazyProxy.of(RecurringMessages.class, () -> engine.getObject().recurring());
    }

    @Bean
    @Fallback
    BlockedKeys acidqBlockedKeys(ObjectProvider<Engine> engine) {
        return LazyProxy.of(BlockedKeys.class, () -> engine.getObject().blockedKeys());
    }

    @Bean
    @Fallback
    QueueControl acidqQueueControl(ObjectProvider<Engine> engine) {
        return LazyProxy.of(QueueControl.class, () -> engine.getObject().control());
    }

    @Bean
    @Fallback
    AuditLog acidqAuditLog(ObjectProvider<Engine> engine) {
        return LazyProxy.of(AuditLog.class, () -> engine.getObject().audit());
    }

    @Bean
    @Fallback
    Inbox acidqInbox(ObjectProvider<Engine> engine) {
        return new LazyProxy.LazyInbox(() -> engine.getObject().inbox());
    }

    @Bean
    ListenerFactory acidqListeners(ConfigurableListableBeanFactory beanFactory, QueueEngines engines) {
        return new ListenerFactory(beanFactory, engines);
    }

    @Bean
    @Fallback
    QueueListenerRegistry acidqListenerRegistry(ListenerFactory listeners) {
        return listeners.registry();
    }

    @Bean
    EngineLifecycle acidqLifecycle(QueueEngines engines, ListenerFactory listeners) {
        return new EngineLifecycle(engines, listeners);
    }
}
