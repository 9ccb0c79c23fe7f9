package io.acidq.test.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.PropertyMapping;

/**
 * Annotation for a test of a Spring Boot application, or of a slice with a {@code DataSource} and a transaction manager such as {@code @JdbcTest}. Adds a
 * {@link io.acidq.test.TestQueue} bean, and AcidQ itself to a slice. The engines of the application do not start: messages run when the test drains them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("acidqtest")
public @interface AutoConfigureTestQueue {

    /**
     * Whether a message runs right after the commit of the transaction that enqueued it, on the committing thread. If true, there is an {@link
     * io.acidq.test.InlineProcessing} bean. In a test transaction that is rolled back nothing is committed: call {@code drain()} there.
     */
    boolean inline() default false;
}
