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
 * Registers hints for a native image: the proxy that the engine makes of {@link Telemetry}, and what the store reads by name, that is its SQL, its
 * tables, the mappers and the classes of their rows, as the mapper files name them. The hints for MyBatis itself come from the application.
 */
final class StoreHints implements RuntimeHintsRegistrar {

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
            throw new UncheckedIOException("the mapper files of queue-mybatis can not be read", e);
        }
    }

    private static void register(
            RuntimeHints hints, String attribute, TypeReference type, @Nullable ClassLoader classLoader) {
        if (!attribute.equals("namespace")) {
            hints.reflection()
                    .registerType(
                            type, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.ACCESS_DECLARED_FIELDS);
        } else if (isThere(type, classLoader)) { // else fragments of SQL for others to include
            hints.proxies().registerJdkProxy(type);
            hints.reflection().registerType(type, MemberCategory.INVOKE_DECLARED_METHODS);
        }
    }

    private static boolean isThere(TypeReference type, @Nullable ClassLoader classLoader) {
        return ClassUtils.isPresent(type.getName(), classLoader);
    }
}
