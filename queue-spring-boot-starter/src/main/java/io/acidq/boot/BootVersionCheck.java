package io.acidq.boot;

import io.acidq.QueueMisuseException;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * Refuses a Spring Boot that is too old for the starter, before one of its auto-configurations fails to link or is not found. It runs on each
 * version, because all of them read {@code spring.factories}.
 */
final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    /** A class that exists since Spring Boot 4: if it is missing, the application has an older Boot. */
    private static final String NEEDED = "org.springframework.boot.thread.Threading";

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        if (!ClassUtils.isPresent(NEEDED, context.getClassLoader())) {
            throw QueueMisuseException.withAction(
                    "queue-spring-boot-starter needs Spring Boot 4, and this application has "
                            + SpringBootVersion.getVersion(),
                    "update Spring Boot; on Boot 3.4 or 3.5 use queue-spring instead of the starter and declare a few"
                            + " beans, see docs/en/spring.md");
        }
    }
}
