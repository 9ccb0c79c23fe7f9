package io.acidq.benchmarks.candidate;

import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;

/** Small applications with Spring Boot. */
public final class BootApplications {

    private BootApplications() {}

    /**
     * Starts one over a {@link SpringBasedApplication}, without AcidQ.
     *
     * @param configuration  switches auto-configuration on
     * @param properties     as in {@code application.properties}
     * @param bean           an object of the candidate's
     */
    public static <T> ConfigurableApplicationContext open(
            SpringBasedApplication spring,
            Class<?> configuration,
            Map<String, Object> properties,
            Class<T> type,
            T bean) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("acidq.enabled", "false");
        SpringApplication application = application(configuration, all);
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(DataSource.class, spring::pool, definition -> definition.setDestroyMethodName(""));
            beans.registerBean(PlatformTransactionManager.class, spring::manager);
            beans.registerBean(type, () -> bean);
        });
        return application.run();
    }

    /** Starts one whose pool and transaction manager are Boot's. */
    public static ConfigurableApplicationContext open(Class<?> configuration, Map<String, Object> properties) {
        return application(configuration, properties).run();
    }

    private static SpringApplication application(Class<?> configuration, Map<String, Object> properties) {
        System.setProperty(LoggingSystem.SYSTEM_PROPERTY, LoggingSystem.NONE);
        SpringApplication application = new SpringApplication(configuration);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(properties);
        return application;
    }
}
