package io.acidq.spring.config;

import io.acidq.spring.QueueEngines;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The engines of an application that has no {@code @EnableAcidQ}. */
public final class TestEngines {

    private TestEngines() {}

    public static QueueEngines of(ConfigurableListableBeanFactory beanFactory) {
        return new ApplicationEngines(beanFactory);
    }
}
