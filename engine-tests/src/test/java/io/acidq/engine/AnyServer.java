package io.acidq.engine;

import io.acidq.testservers.FullBuild;
import io.acidq.testservers.ServerKind;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Marks tests of what the engine decides, not the server: the statements that it needs have tests of their own on both servers. The default build runs
 * them on one kind of server, the full build on both.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface AnyServer {

    /** The kind of server in the default build. */
    ServerKind value();

    /** Provides the kinds of server for a test class. */
    final class Servers implements ArgumentsProvider {

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            AnyServer any = context.getRequiredTestClass().getAnnotation(AnyServer.class);
            return any == null || FullBuild.IS_ON
                    ? Stream.of(ServerKind.values()).map(Arguments::of)
                    : Stream.of(Arguments.of(any.value()));
        }
    }
}
