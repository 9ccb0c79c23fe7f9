package io.acidq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultsTest {

    /** The order of class initialization is not fixed. When {@link Retention} was the first class, the defaults of the engine had no retention. */
    @ParameterizedTest
    @ValueSource(classes = {Retention.class, QueueConfig.class, EngineConfig.class})
    void areCompleteInAnyOrderOfClassInitialization(Class<?> first) throws Exception {
        URL classes = EngineConfig.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader fresh = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Class.forName(first.getName(), true, fresh);
            Class<?> config = Class.forName(EngineConfig.class.getName(), true, fresh);
            Object defaults = config.getMethod("defaults").invoke(null);
            assertThat(config.getMethod("retention").invoke(defaults)).isNotNull();
        }
    }
}
