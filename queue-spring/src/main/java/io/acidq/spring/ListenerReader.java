package io.acidq.spring;

import io.acidq.BatchHandler;
import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.config.RunOptions;
import io.acidq.config.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Reads a {@link QueueListener} and makes a listener for each of its queues. Its errors do not name the method. */
final class ListenerReader {

    /** Enough to save most of what a COMMIT costs, few enough to do again one by one. */
    private static final String BATCH_SIZE = "20";

    private final ConfigurableListableBeanFactory beanFactory;
    private final ListenerText text;
    private final HandlerFactory handlers;

    ListenerReader(ConfigurableListableBeanFactory beanFactory, ListenerText text, HandlerFactory handlers) {
        this.beanFactory = beanFactory;
        this.text = text;
        this.handlers = handlers;
    }

    List<Listener<?>> listeners(ListenerMethod method) {
        QueueListener annotation = method.annotation();
        boolean batch = text.flag("batch", annotation.batch());
        Class<?> payloadType = new ListenerParameters(method, batch).payloadType();
        List<String> queues = text.texts("queues", annotation.queues());
        if (!annotation.queue().isEmpty() || annotation.queues().length == 0) {
            queues.add(0, text.text("queue", annotation.queue()));
        }
        if (queues.isEmpty()) {
            throw new QueueMisuseException(
                    "queues is an empty list: name one queue at least, or set autoStartup = false");
        }
        ListenerDefaults defaults = bean("containerFactory", ListenerDefaults.class, annotation.containerFactory());
        List<Listener<?>> listeners = new ArrayList<>();
        for (String queue : queues.stream().distinct().toList()) {
            listeners.add(
                    listener(queue, payloadType, method, batch, defaults == null ? ListenerDefaults.none() : defaults));
        }
        return listeners;
    }

    private <T> Listener<T> listener(
            String queue, Class<T> payloadType, ListenerMethod method, boolean batch, ListenerDefaults defaults) {
        QueueListener annotation = method.annotation();
        QueueErrorHandler errors =
                bean("errorHandler", QueueErrorHandler.class, annotation.errorHandler(), defaults.errorHandler());
        Condition condition =
                Condition.of(method.where(), text.placed("condition", annotation.condition()), beanFactory);
        Listener<T> listener = batch
                ? Listener.onBatch(queue, payloadType, 1, batchHandler(method, condition, errors))
                : Listener.on(queue, payloadType, handler(method, condition, errors));
        listener = listener.withWorkers(
                        workers(text.text("concurrency", annotation.concurrency(), defaults.concurrency())))
                .withOptions(options(annotation, batch, defaults));
        listener = withName(listener, text.text("retry", annotation.retry(), defaults.retry()), Listener::withRetry);
        listener = withName(listener, text.text("breaker", annotation.breaker()), Listener::withBreaker);
        listener = withName(listener, text.text("rateLimit", annotation.rateLimit()), Listener::withRateLimit);
        return withName(listener, text.text("bulkhead", annotation.bulkhead()), Listener::withBulkhead);
    }

    private <T> Handler<T> handler(
            ListenerMethod method, @Nullable Condition condition, @Nullable QueueErrorHandler errors) {
        Handler<T> handler = handlers.handler(method);
        Handler<T> asked = condition == null ? handler : condition.before(handler);
        return errors == null ? asked : new Recovering<>(asked, errors);
    }

    private <T> BatchHandler<T> batchHandler(
            ListenerMethod method, @Nullable Condition condition, @Nullable QueueErrorHandler errors) {
        BatchHandler<T> handler = handlers.batchHandler(method);
        BatchHandler<T> asked = condition == null ? handler : condition.before(handler);
        return errors == null ? asked : new RecoveringBatch<>(asked, errors);
    }

    private static <T> Listener<T> withName(
            Listener<T> listener, String name, BiFunction<Listener<T>, String, Listener<T>> with) {
        return name.isEmpty() ? listener : with.apply(listener, name);
    }

    private RunOptions options(QueueListener annotation, boolean batch, ListenerDefaults defaults) {
        String size = text.text(
                "transactionSize", annotation.transactionSize(), defaults.transactionSize(), batch ? BATCH_SIZE : "1");
        return new RunOptions(
                mode(text.text("mode", annotation.mode(), defaults.mode(), Mode.TRANSACTIONAL.name())),
                text.number("transactionSize", size),
                text.duration("timeout", text.text("timeout", annotation.timeout(), defaults.timeout())),
                RunOptions.defaults().grace());
    }

    private static Mode mode(String value) {
        try {
            return Mode.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException("mode must be transactional or external, was '" + value + "'", e);
        }
    }

    private static Workers workers(String value) {
        try {
            return value.isEmpty() ? Workers.fixed(Listener.DEFAULT_WORKERS) : Workers.parse(value);
        } catch (QueueMisuseException e) {
            throw new QueueMisuseException("concurrency: " + e.getMessage(), e);
        }
    }

    /** The one that is named, or that an expression gives; null when there is none. */
    private <B> @Nullable B bean(String attribute, Class<B> type, String... written) {
        Object value = text.object(attribute, written);
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        String name = value.toString().trim();
        if (name.isEmpty()) {
            return null;
        }
        try {
            return beanFactory.getBean(name, type);
        } catch (NoSuchBeanDefinitionException e) {
            throw QueueMisuseException.withAction(
                    attribute + " names '" + name + "', but there is no bean of that name and of type " + type.getName()
                            + " (there are: " + String.join(", ", beanFactory.getBeanNamesForType(type)) + ")",
                    "define one, or name none",
                    e);
        }
    }
}
