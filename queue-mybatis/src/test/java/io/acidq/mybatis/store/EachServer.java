package io.acidq.mybatis.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** A test that needs a real server: two transactions on one row, or the settings of sessions. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass
@ArgumentsSource(EachServer.Kinds.class)
@interface EachServer {

    /** Whether a full build runs it with other drivers and options too. */
    boolean variants() default true;

    /** The kinds of this build. */
    final class Kinds implements ArgumentsProvider {

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            boolean variants = context.getRequiredTestClass()
                    .getAnnotation(EachServer.class)
                    .variants();
            return StoreKind.all(false, variants).map(Arguments::of);
        }
    }
}
