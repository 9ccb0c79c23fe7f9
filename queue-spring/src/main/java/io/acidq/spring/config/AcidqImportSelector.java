package io.acidq.spring.config;

import io.acidq.QueueMisuseException;
import io.acidq.spring.publish.PublishConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.SpringVersion;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Imports the configuration of {@code @EnableAcidQ} after it has checked the version of Spring. With an older one those classes would fail to
 * link, or some of their annotations would be ignored. Public for the annotation only; not API.
 */
public final class AcidqImportSelector implements ImportSelector, BeanClassLoaderAware {

    /** The newest class of Spring that AcidQ needs, of Spring Framework 6.2. */
    private static final String NEEDED = "org.springframework.context.annotation.Fallback";

    private @Nullable ClassLoader classLoader;

    @Override
    public void setBeanClassLoader(ClassLoader classLoader) {
        this.classLoader = classLoader;
    }

    @Override
    public String[] selectImports(AnnotationMetadata annotated) {
        if (!ClassUtils.isPresent(NEEDED, classLoader)) {
            throw QueueMisuseException.withAction(
                    "AcidQ needs Spring Framework 6.2 or newer, and this application has " + SpringVersion.getVersion(),
                    "update Spring, or use queue-core and queue-mybatis without queue-spring");
        }
        return new String[] {AcidqConfiguration.class.getName(), PublishConfiguration.class.getName()};
    }
}
