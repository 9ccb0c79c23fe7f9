package io.acidq.mybatis;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
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
 * A test that has its server for itself, and runs beside those of other servers: some count what a whole server does, or make it
 * read-only. The kind of server is told by the name of the class. Each kind has two servers, unless one is given: tests of the store work on
 * the second.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = OneServerAtATime.Servers.class)
public @interface OneServerAtATime {

    /** Whether a test of the engine works on the second server too: both have about the same to do. */
    boolean second() default false;

    /** Names the server of a class. */
    final class Servers implements ResourceLocksProvider {

        @Override
        public Set<Lock> provideForClass(Class<?> testClass) {
            ServerKind kind = testClass.getSimpleName().startsWith("MariaDb") ? ServerKind.MARIADB : ServerKind.MYSQL;
            boolean isSecond = testClass.getPackageName().endsWith(".store")
                    || testClass.getAnnotation(OneServerAtATime.class).second();
            return Set.of(new Lock(kind + (isSecond && !TestServers.isGiven(kind) ? ", the second" : "")));
        }

        @Override
        public Set<Lock> provideForNestedClass(List<Class<?>> enclosing, Class<?> testClass) {
            return Set.of();
        }
    }
}
