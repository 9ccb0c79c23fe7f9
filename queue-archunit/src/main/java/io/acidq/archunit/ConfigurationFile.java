package io.acidq.archunit;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The properties of one configuration file on the classpath, with the names that Spring Boot uses. Immutable. */
final class ConfigurationFile {

    private static final Pattern QUEUE =
            Pattern.compile("acidq\\.queues(\\[(?<quoted>[^]]+)]|\\.\\[(?<dotted>[^]]+)]|\\.(?<plain>[^.\\[]+)).*");
    /** A placeholder that contains no other placeholder. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(?<name>[^:{}]+)(:(?<fallback>[^{}]*))?}");

    /** Limits the resolution of values that refer to each other. */
    private static final int MAX_DEPTH = 16;

    private final Map<String, String> properties = new HashMap<>();

    private ConfigurationFile() {}

    /**
     * Reads a file.
     *
     * @param resource {@code .yaml}, {@code .yml} or {@code .properties} on the classpath of the tests
     */
    static ConfigurationFile of(String resource) {
        ConfigurationFile file = new ConfigurationFile();
        try (Reader reader = open(resource)) {
            if (resource.endsWith(".properties")) {
                Properties loaded = new Properties();
                loaded.load(reader);
                loaded.forEach((name, value) -> file.properties.put(name.toString(), value.toString()));
            } else {
                new Yaml(new SafeConstructor(new LoaderOptions()))
                        .loadAll(reader)
                        .forEach(each -> file.add("", each));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " on the classpath cannot be read", e);
        }
        return file;
    }

    private static Reader open(String resource) throws IOException {
        URL found = find(resource);
        if (found == null) {
            throw new IllegalArgumentException(resource + " is not on the classpath of the tests: name the file below"
                    + " src/main/resources or src/test/resources that configures acidq.queues");
        }
        return new InputStreamReader(found.openStream(), StandardCharsets.UTF_8);
    }

    private void add(String name, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, inner) -> add(name.isEmpty() ? key.toString() : name + "." + key, inner));
        } else {
            properties.put(name, value == null ? "" : value.toString());
        }
    }

    /** Returns the keys below {@code acidq.queues}. The key of a name with a dot is in brackets; any other key ends at its first dot. */
    Set<String> queues() {
        return properties.keySet().stream()
                .map(QUEUE::matcher)
                .filter(Matcher::matches)
                .map(key -> key.group("quoted") != null
                        ? key.group("quoted")
                        : key.group("dotted") != null ? key.group("dotted") : key.group("plain"))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Replaces each placeholder that has a value in this file or a default, also within placeholders, defaults and values. Other placeholders stay.
     */
    String resolve(String text) {
        String resolved = text;
        for (int i = 0; i < MAX_DEPTH && resolved.contains("${"); i++) {
            resolved = resolveInner(resolved);
        }
        return resolved;
    }

    private String resolveInner(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            Matcher placeholder = (Matcher) found;
            String value = properties.getOrDefault(placeholder.group("name"), placeholder.group("fallback"));
            return Matcher.quoteReplacement(value == null ? placeholder.group() : value);
        });
    }

    /** Returns a resource on the classpath of the tests, or null. */
    static @Nullable URL find(String resource) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = context == null ? ConfigurationFile.class.getClassLoader() : context;
        return loader.getResource(resource);
    }
}
