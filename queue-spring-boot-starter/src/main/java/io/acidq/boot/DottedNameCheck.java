package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.boot.AcidqProperties.BreakerSettings;
import io.acidq.boot.AcidqProperties.BulkheadSettings;
import io.acidq.boot.AcidqProperties.RateLimitSettings;
import io.acidq.boot.AcidqProperties.RetrySettings;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/**
 * Refuses a property with the dotted name of a queue or policy that is not in brackets. Boot takes only the part before the first dot for the name, and
 * then either reports the rest as unknown or, in an environment variable or a system property, ignores the setting.
 */
final class DottedNameCheck {

    /** The settings of one named entry, without dots and dashes, by the property of the map. */
    private static final Map<ConfigurationPropertyName, Set<String>> SECTIONS = Map.of(
            ConfigurationPropertyName.of("acidq.queues"), settings(QueueProperties.class),
            ConfigurationPropertyName.of("acidq.retry"), settings(RetrySettings.class),
            ConfigurationPropertyName.of("acidq.breaker"), settings(BreakerSettings.class),
            ConfigurationPropertyName.of("acidq.rate-limit"), settings(RateLimitSettings.class),
            ConfigurationPropertyName.of("acidq.bulkhead"), settings(BulkheadSettings.class));

    private DottedNameCheck() {}

    private static Set<String> settings(Class<?> type) {
        return leaves(type).collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> leaves(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors()[0].getParameters())
                .flatMap(parameter -> parameter.getType().isRecord()
                        ? leaves(parameter.getType()).map(nested -> uniform(parameter) + nested)
                        : Stream.of(uniform(parameter)));
    }

    private static String uniform(Parameter parameter) {
        return parameter.getName().toLowerCase(Locale.ROOT);
    }

    /**
     * Looks at all properties of the environment.
     *
     * @throws QueueMisuseException for a dotted name without brackets; it contains the property as it should be written
     */
    static void refuse(Environment environment) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource iterable) {
                iterable.stream()
                        .forEach(property -> SECTIONS.forEach((section, settings) -> {
                            if (section.isAncestorOf(property)) {
                                refuse(section, settings, property);
                            }
                        }));
            }
        }
    }

    private static void refuse(
            ConfigurationPropertyName section, Set<String> settings, ConfigurationPropertyName property) {
        int name = section.getNumberOfElements();
        int end = property.getNumberOfElements();
        int setting = IntStream.range(name + 1, end)
                .filter(from -> settings.contains(join(property, from, end, Form.UNIFORM, "")))
                .findFirst()
                .orElse(name + 1); // a mistyped setting, which Boot reports
        if (setting > name + 1) {
            throw QueueMisuseException.withAction(
                    "in the property " + property + " only '" + join(property, name, name + 1, Form.ORIGINAL, "")
                            + "' counts as the name, because a dot ends it",
                    "write " + section + "[" + join(property, name, setting, Form.ORIGINAL, ".") + "]."
                            + join(property, setting, end, Form.ORIGINAL, ".")
                            + "; for an environment variable use SPRING_APPLICATION_JSON");
        }
    }

    /** Joins elements of the property, without the indexes of lists. */
    private static String join(ConfigurationPropertyName property, int from, int to, Form form, String separator) {
        return IntStream.range(from, to)
                .filter(i -> !property.isNumericIndex(i))
                .mapToObj(i -> property.getElement(i, form))
                .collect(Collectors.joining(separator));
    }
}
