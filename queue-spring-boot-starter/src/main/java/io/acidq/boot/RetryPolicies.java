package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.resilience.RetryPolicy;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Makes a {@link RetryPolicy} bean of each {@code acidq.retry.<name>}. The name is a qualifier and not the bean's name, since a listener
 * class is often called like its policy.
 */
final class RetryPolicies implements ImportBeanDefinitionRegistrar {

    static final String PREFIX = "acidq.retry";

    private final Environment environment;

    RetryPolicies(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        Binder.get(environment)
                .bind(PREFIX, Bindable.mapOf(String.class, AcidqProperties.Retry.class))
                .orElseGet(Map::of)
                .forEach((name, retry) -> {
                    RetryPolicy made = made(PREFIX + "." + name, retry);
                    RootBeanDefinition policy = new RootBeanDefinition(RetryPolicy.class, () -> made);
                    policy.setLazyInit(true); // the bean is there once it was asked for: UnusedRetryPolicies
                    policy.setDefaultCandidate(false); // not for whoever asks for any policy
                    policy.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
                    registry.registerBeanDefinition(PREFIX + "." + name, policy);
                });
    }

    private static RetryPolicy made(String property, AcidqProperties.Retry retry) {
        try {
            return retry.policy();
        } catch (QueueMisuseException e) {
            String why = String.valueOf(e.getMessage()).replaceFirst("^retry policy: ", "");
            throw new QueueMisuseException("retry policy " + property + ": " + why, e);
        }
    }
}
