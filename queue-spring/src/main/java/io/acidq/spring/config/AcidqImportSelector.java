package io.acidq.spring.config;

import io.acidq.QueueMisuseException;
import io.acidq.spring.publish.PublishConfiguration;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.SpringVersion;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Selects the configurations of {@code @EnableAcidQ}, after it has checked the version of Spring: with an older one those classes would fail to link,
 * or some of their annotations would be ignored. In a test slice of Spring Boot, such as {@code @WebMvcTest}, the annotation on the application's main
 * class selects none: the slice uses that class and has neither its other configurations nor a store. Public for the annotation only; not API.
 */
public final class AcidqImportSelector implements ImportSelector {

    /** The newest class of Spring that AcidQ needs, of Spring Framework 6.2. */
    private static final String NEEDED = "org.springframework.context.annotation.Fallback";

    /** False in every test slice. */
    private static final String AUTO_CONFIGURATION = "spring.boot.enableautoconfiguration";

    private static final String MAIN_CLASS = "org.springframework.boot.SpringBootConfiguration";

    private final Environment environment;
    private final ClassLoader classLoader;

    AcidqImportSelector(Environment environment, ClassLoader classLoader) {
        this.environment = environment;
        this.classLoader = classLoader;
    }

    @Override
    public String[] selectImports(AnnotationMetadata annotated) {
        if (!ClassUtils.isPresent(NEEDED, classLoader)) {
            throw QueueMisuseException.withAction(
                    "AcidQ needs Spring Framework 6.2 or newer, and this application has " + SpringVersion.getVersion(),
                    "update Spring, or use queue-core and queue-mybatis without queue-spring");
        }
        boolean isSlice = !environment.getProperty(AUTO_CONFIGURATION, Boolean.class, true);
        return isSlice && annotated.isAnnotated(MAIN_CLASS)
                ? new String[0]
                : new String[] {AcidqConfiguration.class.getName(), PublishConfiguration.class.getName()};
    }
}
