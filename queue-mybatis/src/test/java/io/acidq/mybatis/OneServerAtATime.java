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
 * read-only. The kind of server is told by the name of the class; tests of the store have servers apart from the engine's, unless one is
 * given.
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
            ServerKind kind = testClass.getSimpleName().startsWith("MariaDb") ? ServerKind.MARIADB : ServerKind.MYSQL;
            boolean isSecond = testClass.getPackageName().endsWith(".store") && !TestServers.isGiven(kind);
            return Set.of(new Lock(kind + (isSecond ? " of the store" : "")));
        }

        @Override
        public Set<Lock> provideForNestedClass(List<Class<?>> enclosing, Class<?> testClass) {
            return Set.of();
        }
    }
}
