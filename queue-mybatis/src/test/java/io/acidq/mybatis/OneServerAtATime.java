package io.acidq.mybatis;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * A test that has its server for itself, and runs beside those of the other server: some count what a whole server does, or make it
 * read-only. Which server it is, is told by the name of the class.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = OneServerAtATime.Servers.class)
public @interface OneServerAtATime {

    /** Names the server of a class. */
    final class Servers implements ResourceLocksProvider {

        @Override
        public Set<Lock> provideForClass(Class<?> testClass) {
            return Set.of(new Lock(testClass.getSimpleName().startsWith("MariaDb") ? "mariadb" : "mysql"));
        }

        @Override
        public Set<Lock> provideForNestedClass(List<Class<?>> enclosing, Class<?> testClass) {
            return Set.of();
        }
    }
}
