package io.acidq.boot;

import io.acidq.telemetry.Telemetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

/**
 * Registers hints for a native image: the engine's proxy of {@link Telemetry}, the SQL and schema files of the store, and the mappers and row
 * classes that the mapper files name. The application provides the hints for MyBatis itself.
 */
final class StoreRuntimeHints implements RuntimeHintsRegistrar {

    private static final String MAPPERS = "io/acidq/mybatis/*.xml";
    private static final Pattern NAMED =
            Pattern.compile("(namespace|resultType|type|javaType|typeHandler)=\"(io\\.acidq\\.[^\"]+)\"");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.proxies().registerJdkProxy(Telemetry.class); // SafeTelemetry
        hints.resources().registerPattern(MAPPERS).registerPattern("io/acidq/schema/*/*.sql");
        try {
            for (Resource mapper :
                    new PathMatchingResourcePatternResolver(classLoader).getResources("classpath*:" + MAPPERS)) {
                Matcher named = NAMED.matcher(mapper.getContentAsString(StandardCharsets.UTF_8));
                while (named.find()) {
                    register(hints, named.group(1), TypeReference.of(named.group(2)), classLoader);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the mapper files of queue-mybatis cannot be read", e);
        }
    }

    private static void register(
            RuntimeHints hints, String attribute, TypeReference type, @Nullable ClassLoader classLoader) {
        if (!attribute.equals("namespace")) {
            hints.reflection()
                    .registerType(
                            type, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS);
        } else if (isThere(type, classLoader)) { // other namespaces contain only SQL fragments
            hints.proxies().registerJdkProxy(type);
            hints.reflection().registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
        }
    }

    private static boolean isThere(TypeReference type, @Nullable ClassLoader classLoader) {
        return ClassUtils.isPresent(type.getName(), classLoader);
    }
}
