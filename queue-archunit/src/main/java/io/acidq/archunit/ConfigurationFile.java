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

/** The settings of one file on the classpath, with names as Spring Boot gives them. Immutable. */
final class ConfigurationFile {

    private static final Pattern QUEUE =
            Pattern.compile("acidq\\.queues(\\[(?<quoted>[^]]+)]|\\.\\[(?<dotted>[^]]+)]|\\.(?<plain>[^.\\[]+)).*");
    /** One that has no other inside. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(?<name>[^:{}]+)(:(?<otherwise>[^{}]*))?}");

    /** Values that hold each other would be resolved for ever. */
    private static final int DEPTH = 16;

    private final Map<String, String> settings = new HashMap<>();

    private ConfigurationFile() {}

    /**
     * Reads it.
     *
     * @param resource {@code .yaml}, {@code .yml} or {@code .properties} on the classpath of the tests
     */
    static ConfigurationFile of(String resource) {
        ConfigurationFile file = new ConfigurationFile();
        try (Reader text = open(resource)) {
            if (resource.endsWith(".properties")) {
                Properties properties = new Properties();
                properties.load(text);
                properties.forEach((name, value) -> file.settings.put(name.toString(), value.toString()));
            } else {
                new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text).forEach(each -> file.add("", each));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " on the classpath cannot be read", e);
        }
        return file;
    }

    private static Reader open(String resource) throws IOException {
        URL found = Classpath.find(resource);
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
            settings.put(name, value == null ? "" : value.toString());
        }
    }

    /** The keys below {@code acidq.queues}. A name with a dot stands in brackets, else its first part is the key. */
    Set<String> queues() {
        return settings.keySet().stream()
                .map(QUEUE::matcher)
                .filter(Matcher::matches)
                .map(key -> key.group("quoted") != null
                        ? key.group("quoted")
                        : key.group("dotted") != null ? key.group("dotted") : key.group("plain"))
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The text with the placeholders replaced that this file, or their default, gives a value; also those within placeholders, within
     * defaults and within values.
     */
    String resolve(String text) {
        String resolved = text;
        for (int i = 0; i < DEPTH && resolved.contains("${"); i++) {
            resolved = resolveInner(resolved);
        }
        return resolved;
    }

    private String resolveInner(String text) {
        return PLACEHOLDER.matcher(text).replaceAll(found -> {
            Matcher placeholder = (Matcher) found;
            String value = settings.getOrDefault(placeholder.group("name"), placeholder.group("otherwise"));
            return Matcher.quoteReplacement(value == null ? placeholder.group() : value);
        });
    }
}
