package io.acidq.benchmarks.candidate;

import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;

/** A small application with Spring Boot over a {@link SpringSide}. */
public final class BootSide {

    private BootSide() {}

    /**
     * Starts it.
     *
     * @param configuration  switches auto-configuration on
     * @param properties     as in {@code application.properties}
     * @param bean           an object of the candidate's
     */
    public static <T> ConfigurableApplicationContext open(
            SpringSide spring, Class<?> configuration, Map<String, Object> properties, Class<T> type, T bean) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication application = new SpringApplication(configuration);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(properties);
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(DataSource.class, spring::pool, definition -> definition.setDestroyMethodName(""));
            beans.registerBean(PlatformTransactionManager.class, spring::manager);
            beans.registerBean(type, () -> bean);
        });
        return application.run();
    }
}
