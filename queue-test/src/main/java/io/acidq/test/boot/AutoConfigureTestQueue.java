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
 * Gives a test that starts an application, or a slice of it with a {@code DataSource} and a transaction manager such as {@code JdbcTest}, a {@link
 * io.acidq.test.TestQueue} bean, and a slice AcidQ itself; keeps the application's engines from starting: messages run when the test drains.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@PropertyMapping("acidqtest")
public @interface AutoConfigureTestQueue {

    /**
     * Whether a message is run right after the commit of the transaction that enqueued it, on the committing thread; there is an {@link
     * io.acidq.test.InlineProcessing} bean then. A test transaction that is rolled back never comes so far: drain there.
     */
    boolean inline() default false;
}
