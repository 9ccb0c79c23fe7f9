package io.acidq.spring.listener;

import io.acidq.QueueMisuseException;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.Guard;
import io.acidq.resilience.GuardState.Kind;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.GuardFinder;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the retry policies and guards that listeners name, by the name or the qualifier of their beans. */
final class PolicyBeans {

    /** The name of the retry policy of listeners that name none. */
    private static final String DEFAULT = "default";

    private final ConfigurableListableBeanFactory beanFactory;

    PolicyBeans(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    RetryPolicy retry(String name, String where) {
        return find(RetryPolicy.class, name)
                .orElseThrow(() -> unknown(where, "retry policy", name, known(RetryPolicy.class)));
    }

    @Nullable
    RetryPolicy defaultRetry() {
        return find(RetryPolicy.class, DEFAULT).orElse(null);
    }

    Guard.Source guard(Kind kind, String name, String where) {
        Optional<? extends Guard.Source> bean = find(settings(kind), name);
        return bean.<Guard.Source>map(b -> b)
                .or(() -> findByGuardFinders(kind, name))
                .orElseThrow(() -> {
                    Set<String> known = known(settings(kind));
                    finders().forEach(f -> known.addAll(f.names(kind)));
                    return unknown(where, kind.text(), name, known);
                });
    }

    private Optional<Guard.Source> findByGuardFinders(Kind kind, String name) {
        return finders().flatMap(f -> f.find(kind, name).stream()).findFirst();
    }

    private Stream<GuardFinder> finders() {
        return beanFactory.getBeanProvider(GuardFinder.class).orderedStream();
    }

    private static Class<? extends Guard.Source> settings(Kind kind) {
        return switch (kind) {
            case BREAKER -> Breaker.class;
            case RATE_LIMIT -> RateLimit.class;
            case BULKHEAD -> Bulkhead.class;
        };
    }

    private <B> Optional<B> find(Class<B> type, String name) {
        try {
            return Optional.of(BeanFactoryAnnotationUtils.qualifiedBeanOfType(beanFactory, type, name));
        } catch (NoSuchBeanDefinitionException e) {
            return Optional.empty();
        }
    }

    /** Returns the names of the beans. Beans created from properties have names such as {@code acidq.retry.<name>}. */
    private Set<String> known(Class<?> type) {
        Set<String> known = new TreeSet<>();
        Arrays.stream(beanFactory.getBeanNamesForType(type))
                .map(bean -> bean.startsWith("acidq.") ? bean.split("\\.", 3)[2] : bean)
                .forEach(known::add);
        return known;
    }

    private static QueueMisuseException unknown(String where, String what, String name, Set<String> known) {
        return QueueMisuseException.withAction(
                where + " names the " + what + " '" + name
                        + "', but there is none of that name or qualifier (there are: "
                        + (known.isEmpty() ? "none" : String.join(", ", known)) + ")",
                "define one, or name none");
    }
}
