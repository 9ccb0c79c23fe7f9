package io.acidq.spring.config;

import io.acidq.Interceptor;
import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineBuilder;
import io.acidq.spring.EngineCustomizer;
import io.acidq.spring.QueueEngine;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.WorkerThreads;
import io.acidq.spring.listener.ListenerFactory;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/** Builds the engines from the application's beans. Each engine is built once, when it is first requested. Thread-safe. */
final class ApplicationEngines implements QueueEngines {

    private final ConfigurableListableBeanFactory beanFactory;
    private final SingletonSupplier<Map<String, QueueEngine>> furtherEngines =
            SingletonSupplier.of(this::findFurtherEngines);

    ApplicationEngines(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>(List.of(MAIN));
        names.addAll(List.of(beanFactory.getBeanNamesForType(QueueEngine.class, true, false)));
        return names;
    }

    @Override
    public Map<String, Engine> all() {
        Map<String, Engine> all = new LinkedHashMap<>();
        all.put(MAIN, engine(MAIN));
        furtherEngines.obtain().forEach((name, each) -> all.put(name, each.engine()));
        return all;
    }

    @Override
    public Engine engine(String name) {
        if (name.equals(MAIN)) {
            return beanFactory.getBeanProvider(Engine.class).getObject();
        }
        QueueEngine further = furtherEngines.obtain().get(name);
        if (further == null) {
            throw new QueueMisuseException("there is no engine '" + name + "' (there are: " + String.join(", ", names())
                    + "): use one of these names, or define a QueueEngine bean with this name");
        }
        return further.engine();
    }

    @Override
    public Store store(String name) {
        QueueEngine further = furtherEngines.obtain().get(name);
        return further == null ? beanFactory.getBean(Store.class) : further.store();
    }

    @Override
    public String nameOf(String transactionManager) {
        if (transactionManager.isEmpty()) {
            return MAIN;
        }
        PlatformTransactionManager manager = findManager(transactionManager);
        String name = manager == null ? null : nameOf(manager);
        if (name == null) {
            throw new QueueMisuseException(
                    "transactionManager names '" + transactionManager
                            + "', "
                            + (manager == null ? "but there is no such bean" : "but the store of no engine uses it")
                            + " (engines use: " + String.join(", ", usedManagers())
                            + "); use one of these names, or define a QueueEngine over a store with a SpringTransactions of that manager");
        }
        return name;
    }

    private @Nullable String nameOf(PlatformTransactionManager manager) {
        for (Map.Entry<String, QueueEngine> each : furtherEngines.obtain().entrySet()) {
            if (isOf(each.getValue().store(), manager)) {
                return each.getKey();
            }
        }
        Store main = beanFactory.getBeanProvider(Store.class).getIfUnique();
        return main != null && isOf(main, manager) ? MAIN : null;
    }

    private static boolean isOf(Store store, PlatformTransactionManager manager) {
        return store.transactions() instanceof SpringTransactions transactions && transactions.isOf(manager);
    }

    private @Nullable PlatformTransactionManager findManager(String name) {
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, PlatformTransactionManager.class, name);
        } catch (NoSuchBeanDefinitionException e) {
            return null;
        }
    }

    private Set<String> usedManagers() {
        Set<String> known = new TreeSet<>();
        beanFactory.getBeansOfType(PlatformTransactionManager.class).forEach((name, manager) -> {
            if (nameOf(manager) != null) {
                known.add(name);
            }
        });
        return known;
    }

    private Map<String, QueueEngine> findFurtherEngines() {
        Map<String, QueueEngine> found = new LinkedHashMap<>(beanFactory.getBeansOfType(QueueEngine.class));
        if (found.containsKey(MAIN)) {
            throw new QueueMisuseException("a QueueEngine bean has the name '" + MAIN
                    + "', which is the name of the main engine: give the bean another name");
        }
        found.forEach((name, each) -> each.setEngineSupplier(SingletonSupplier.of(() -> buildFurther(name, each))));
        return found;
    }

    /** Applies the bean post-processors to the engine, as to the main engine, which is a bean: a test kit uses one to prevent the start. */
    private Engine buildFurther(String name, QueueEngine engine) {
        return (Engine) beanFactory.initializeBean(build(name, engine.store(), engine.config()), name);
    }

    /** Builds an engine. Without settings of its own it uses those of the application. */
    Engine build(String name, Store store, @Nullable EngineConfig config) {
        EngineBuilder builder = Engine.builder(store);
        beanFactory.getBeanProvider(Codec.class).ifAvailable(builder::codec);
        if (config == null) {
            beanFactory.getBeanProvider(EngineConfig.class).ifAvailable(builder::config);
        } else {
            builder.config(config);
        }
        beanFactory.getBeanProvider(Telemetry.class).orderedStream().forEach(builder::telemetry);
        beanFactory.getBeanProvider(Interceptor.class).orderedStream().forEach(builder::interceptor);
        WorkerThreads threads = beanFactory.getBeanProvider(WorkerThreads.class).getIfAvailable();
        if (threads != null) {
            builder.workerThreads(threads.factory());
        }
        UnaryOperator<List<Listener<?>>> limit = threads == null || !name.equals(MAIN)
                ? UnaryOperator.identity()
                : new WorkerLimit(threads.connections())::applyTo;
        beanFactory.getBean(ListenerFactory.class).addTo(builder, name, limit);
        beanFactory
                .getBeanProvider(EngineCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(name, builder));
        return builder.build();
    }
}
