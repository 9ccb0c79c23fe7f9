package io.acidq.test.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Annotation for a test slice that covers only publishers and listeners. The application context contains:
 *
 * <ul>
 *   <li>the configured {@code DataSource}, which is never replaced by an embedded database, and its transaction manager,
 *   <li>{@code JdbcTemplate}, MyBatis, JPA with the repositories of Spring Data, Spring Data JDBC, jOOQ, Flyway and Liquibase, if they are on the class path,
 *   <li>AcidQ with an engine that does not start, and a {@link io.acidq.test.TestQueue},
 *   <li>the components in {@link #includeFilters} and imported ones, and no others of the application.
 * </ul>
 *
 * <p>With {@code @Transactional}, each test is rolled back.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(QueueTestSlice.ContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(QueueTestSlice.ExcludeFilter.class)
@AutoConfigureTestQueue
@ImportAutoConfiguration
public @interface QueueTest {

    /** Properties in the form {@code key=value} that are added to the environment. */
    String[] properties() default {};

    /** Whether messages run right after the commit. See {@link AutoConfigureTestQueue#inline}. */
    @AliasFor(annotation = AutoConfigureTestQueue.class)
    boolean inline() default false;

    /** Whether default filtering is used. The default filters include no components. */
    boolean useDefaultFilters() default true;

    /** Filters that add components of the application to the context. */
    Filter[] includeFilters() default {};

    /** Filters that remove components from the context. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations to exclude. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
