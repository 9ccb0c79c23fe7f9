package io.acidq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultsTest {

    /** Whose class is initialized first is chance. Where it was {@link Retention}, the defaults of the engine had none, for the life of the process. */
    @ParameterizedTest
    @ValueSource(classes = {Retention.class, QueueConfig.class, EngineConfig.class})
    void areWholeWhicheverClassIsUsedFirst(Class<?> first) throws Exception {
        URL classes = EngineConfig.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader fresh = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
            Class.forName(first.getName(), true, fresh);
            Class<?> config = Class.forName(EngineConfig.class.getName(), true, fresh);
            Object defaults = config.getMethod("defaults").invoke(null);
            assertThat(config.getMethod("retention").invoke(defaults)).isNotNull();
        }
    }
}
