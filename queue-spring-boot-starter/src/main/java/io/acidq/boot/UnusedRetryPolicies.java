package io.acidq.boot;

import io.acidq.resilience.RetryPolicy;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Warns of {@code acidq.retry.*} that nothing has asked for when all listeners are there. */
final class UnusedRetryPolicies implements ApplicationListener<ContextRefreshedEvent> {

    private static final Logger log = LoggerFactory.getLogger(UnusedRetryPolicies.class);

    private final ConfigurableListableBeanFactory beanFactory;

    UnusedRetryPolicies(ConfigurableListableBeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        String prefix = NamedPolicies.RETRY + ".";
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
