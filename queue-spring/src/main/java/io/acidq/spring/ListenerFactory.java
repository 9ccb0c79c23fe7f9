package io.acidq.spring;

import io.acidq.Handler;
import io.acidq.QueueMisuseException;
import io.acidq.engine.Listener;
import io.acidq.engine.Mode;
import io.acidq.engine.RunOptions;
import io.acidq.resilience.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/** Makes the engine's listeners of the methods with {@link QueueListener}. */
final class ListenerFactory {

    private final ConfigurableListableBeanFactory beanFactory;
    private final EmbeddedValueResolver values;
    private final HandlerFactory handlers;

    ListenerFactory(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
        this.values = new EmbeddedValueResolver(beanFactory);
        this.handlers = new HandlerFactory(beanFactory);
    }

    /** The listeners to run, at most one a queue. */
    List<Listener<?>> listeners() {
        Map<String, ListenerMethod> byQueue = new LinkedHashMap<>();
        List<Listener<?>> listeners = new ArrayList<>();
        for (ListenerMethod method : new ListenerMethods(beanFactory).find()) {
            if (!isStarted(method)) {
                continue;
            }
            Listener<?> listener = customized(listener(method, method.payloadType()));
            ListenerMethod other = byQueue.put(listener.queue(), method);
            if (other != null) {
                throw new QueueMisuseException("queue '" + listener.queue() + "' has two listeners, " + other.where()
                        + " and " + method.where()
                        + ": each message goes to one of them, so remove one or give it a queue of its own");
            }
            listeners.add(listener);
        }
        return listeners;
    }

    /** Asks for the beans of the listeners, so that what is wrong with them fails the start and not the first message. */
    void prepare() {
        handlers.prepare();
    }

    private <T> Listener<T> listener(ListenerMethod method, Class<T> payloadType) {
        Handler<T> handler = handlers.handler(method);
        int workers = workers(method);
        RetryPolicy retry = retry(method);
        RunOptions options = options(method);
        try {
            return new Listener<>(text(method.annotation().queue()), payloadType, handler, workers, retry, options);
        } catch (QueueMisuseException e) {
            throw misuse(method, String.valueOf(e.getMessage()));
        }
    }

    private RunOptions options(ListenerMethod method) {
        RunOptions defaults = RunOptions.defaults();
        String timeout = text(method.annotation().timeout());
        int size = number(method, "transactionSize", method.annotation().transactionSize());
        Duration limit = timeout.isEmpty() ? null : duration(method, timeout);
        try {
            return new RunOptions(mode(method), size, limit, defaults.grace());
        } catch (QueueMisuseException e) {
            throw misuse(method, String.valueOf(e.getMessage()));
        }
    }

    private Mode mode(ListenerMethod method) {
        String value = text(method.annotation().mode());
        try {
            return Mode.valueOf(value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw misuse(method, "mode must be transactional or external, was '" + value + "'");
        }
    }

    private static Duration duration(ListenerMethod method, String value) {
        try {
            return DurationFormatterUtils.detectAndParse(value);
        } catch (IllegalArgumentException e) {
            throw misuse(method, "timeout must be a duration such as 30s or PT30S, was '" + value + "'");
        }
    }

    private int number(ListenerMethod method, String attribute, String written) {
        String value = text(written);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw misuse(method, attribute + " must be a number, was '" + value + "'");
        }
    }

    private <T> Listener<T> customized(Listener<T> listener) {
        Listener<T> customized = listener;
        for (ListenerCustomizer customizer : beanFactory
                .getBeanProvider(ListenerCustomizer.class)
                .orderedStream()
                .toList()) {
            customized = customizer.customize(customized);
        }
        return customized;
    }

    private boolean isStarted(ListenerMethod method) {
        String value = text(method.annotation().autoStartup());
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw misuse(method, "autoStartup must be true or false, was '" + value + "'");
        }
        return Boolean.parseBoolean(value);
    }

    private int workers(ListenerMethod method) {
        String value = text(method.annotation().concurrency());
        if (value.matches("\\d+\\s*-\\s*\\d+")) {
            throw misuse(
                    method,
                    "concurrency '" + value + "' is a range; workers that grow and shrink are not there yet: give one"
                            + " number, the most that may run at once");
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw misuse(method, "concurrency must be a number of workers such as 4, was '" + value + "'");
        }
    }

    private RetryPolicy retry(ListenerMethod method) {
        String name = text(method.annotation().retry());
        if (name.isEmpty()) {
            return RetryPolicy.defaults();
        }
        try {
            return BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, RetryPolicy.class, name);
        } catch (NoSuchBeanDefinitionException e) {
            String known = String.join(", ", beanFactory.getBeanNamesForType(RetryPolicy.class));
            throw misuse(
                    method,
                    "retry names '" + name
                            + "', but there is no RetryPolicy bean of that name or qualifier (there are: "
                            + (known.isEmpty() ? "none" : known)
                            + "); define one, or leave retry out for the default policy");
        }
    }

    private String text(String written) {
        String value = values.resolveStringValue(written);
        return value == null ? "" : value.trim();
    }

    private static QueueMisuseException misuse(ListenerMethod method, String why) {
        return new QueueMisuseException("@QueueListener on " + method.where() + ": " + why);
    }
}
