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
 * A test of publishers and listeners alone: of the application it has the configured {@code DataSource} (never replaced by an embedded one), its
 * transaction manager, {@code JdbcTemplate}, MyBatis, Flyway or Liquibase, AcidQ with an engine that does not start, and a {@link io.acidq.test.TestQueue}; of
 * its components only those that are asked for by {@link #includeFilters} or imported. Add {@code @Transactional} to have each test rolled back.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(QueueTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(QueueTypeExcludeFilter.class)
@AutoConfigureTestQueue
@ImportAutoConfiguration
public @interface QueueTest {

    /** Properties for the environment, as {@code key=value}. */
    String[] properties() default {};

    /** See {@link AutoConfigureTestQueue#inline}. */
    @AliasFor(annotation = AutoConfigureTestQueue.class)
    boolean inline() default false;

    /** Whether filters of Boot's own decide too; without components of this slice that includes nothing. */
    boolean useDefaultFilters() default true;

    /** Which components of the application are there. */
    Filter[] includeFilters() default {};

    /** Which are not, of those. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations to leave out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
