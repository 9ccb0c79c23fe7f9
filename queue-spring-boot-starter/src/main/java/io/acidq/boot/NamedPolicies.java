package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Makes a bean of each {@code acidq.retry.<name>}, {@code acidq.breaker.<name>}, {@code acidq.rate-limit.<name>} and {@code
 * acidq.bulkhead.<name>}. The name is a qualifier and not the bean's name, since a listener class is often called like its policy. An
 * application that was processed ahead of time has those of the environment that it runs in: it makes them when it starts, as any other does.
 */
final class NamedPolicies implements BeanDefinitionRegistryPostProcessor {

    static final String RETRY = "acidq.retry";

    private final Environment environment;

    NamedPolicies(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        register(registry, RETRY, RetrySettings.class, RetryPolicy.class, RetrySettings::policy);
        register(registry, "acidq.breaker", BreakerSettings.class, Breaker.class, BreakerSettings::breaker);
        register(registry, "acidq.rate-limit", RateLimitSettings.class, RateLimit.class, RateLimitSettings::rateLimit);
        register(registry, "acidq.bulkhead", BulkheadSettings.class, Bulkhead.class, BulkheadSettings::bulkhead);
    }

    private <S, B> void register(
            BeanDefinitionRegistry registry, String prefix, Class<S> settings, Class<B> type, Function<S, B> make) {
        Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, settings))
                .orElseGet(Map::of)
                .forEach((name, one) -> {
                    B made = made(prefix + "." + name, () -> make.apply(one));
                    RootBeanDefinition bean = new RootBeanDefinition(type, () -> made);
                    bean.setLazyInit(true); // the bean is there once it was asked for: UnusedRetryPolicies
                    bean.setDefaultCandidate(false); // not for whoever asks for any of its type
                    bean.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
                    bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
                    registry.registerBeanDefinition(prefix + "." + name, bean);
                });
    }

    /** What is wrong with a policy is told with the property's name, also when nobody uses it. */
    private static <B> B made(String property, Supplier<B> make) {
        try {
            return make.get();
        } catch (QueueMisuseException e) {
            String why = String.valueOf(e.getMessage())
                    .replaceFirst("^[a-z ]+: ", ""); // which the property's name says better
            throw new QueueMisuseException("the setting " + property + ": " + why, e);
        }
    }
}
