package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.boot.AcidqProperties.BreakerSettings;
import io.acidq.boot.AcidqProperties.BulkheadSettings;
import io.acidq.boot.AcidqProperties.RateLimitSettings;
import io.acidq.boot.AcidqProperties.RetrySettings;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;

/**
 * Registers a bean for each {@code acidq.retry.<name>}, {@code acidq.breaker.<name>}, {@code acidq.rate-limit.<name>} and {@code
 * acidq.bulkhead.<name>}. The name is a qualifier and not the bean's name, because a listener class often has the same name as its policy. An
 * application that was processed ahead of time registers them at startup too, from the environment in which it runs.
 */
final class PropertyPolicyRegistrar
        implements BeanDefinitionRegistryPostProcessor, ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(PropertyPolicyRegistrar.class);

    private static final String RETRY = "acidq.retry";

    private final Environment environment;
    private final ConfigurableListableBeanFactory beanFactory;

    PropertyPolicyRegistrar(Environment environment, ConfigurableListableBeanFactory beanFactory) {
        this.environment = environment;
        this.beanFactory = beanFactory;
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        DottedNameCheck.refuse(environment);
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
                    B policy = create(prefix + "." + name, () -> make.apply(one));
                    RootBeanDefinition bean = new RootBeanDefinition(type, () -> policy);
                    bean.setLazyInit(true); // a singleton only after it was requested: see onApplicationEvent
                    bean.setDefaultCandidate(false); // not injected by type
                    bean.setAttribute(BeanRegistrationAotProcessor.IGNORE_REGISTRATION_ATTRIBUTE, true);
                    bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
                    registry.registerBeanDefinition(prefix + "." + name, bean);
                });
    }

    /** Creates a policy. A misuse names the property, also if no listener uses the policy. */
    private static <B> B create(String property, Supplier<B> make) {
        try {
            return make.get();
        } catch (QueueMisuseException e) {
            String why = String.valueOf(e.getMessage())
                    .replaceFirst("^[a-z ]+: ", ""); // the name of the property replaces this prefix
            throw new QueueMisuseException("the setting " + property + ": " + why, e);
        }
    }

    /** Warns, once all listeners exist, about policies of {@code acidq.retry} that no listener has requested. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        String prefix = RETRY + ".";
        Set<String> named = new TreeSet<>();
        Set<String> unused = new TreeSet<>();
        for (String bean : beanFactory.getBeanNamesForType(RetryPolicy.class, true, false)) {
            if (bean.startsWith(prefix)) {
                (beanFactory.containsSingleton(bean) ? named : unused).add(bean.substring(prefix.length()));
            }
        }
        if (!unused.isEmpty()) {
            log.warn(
                    "acidq.retry has policies {}, which no listener names here (named: {}); a listener names its policy with"
                            + " @QueueListener(retry = \"…\")",
                    unused,
                    named);
        }
    }
}
