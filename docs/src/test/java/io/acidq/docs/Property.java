package io.acidq.docs;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DefaultValue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A property of the starter, as the generated metadata and the Javadoc of its code describe it.
 *
 * @param name         the name, with {@code *} for the key of a map
 * @param type         the simple name of the type
 * @param defaultValue the default as text, or empty
 * @param description  the description
 */
record Property(String name, String type, String defaultValue, String description) {

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final Pattern MAP = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(.+)>");
    private static final Pattern ENTRY = Pattern.compile(
            "^### `(acidq\\.[^`]+)`\\n\\n`([^`]+)`, (?:default `([^`]*)`|unset|required)[,.:]", Pattern.MULTILINE);

    /** Returns all properties of the starter. */
    static List<Property> all() throws IOException, ClassNotFoundException {
        List<Property> properties = new ArrayList<>();
        for (URL url : Collections.list(Property.class.getClassLoader().getResources(METADATA))) {
            try (InputStream json = url.openStream()) {
                for (JsonNode property : JsonMapper.shared().readTree(json).path("properties")) {
                    if (property.path("name").asString().startsWith("acidq.")) {
                        properties.addAll(of(property));
                    }
                }
            }
        }
        return properties;
    }

    /** Returns the properties that a page has an entry for, as {@code name: type = default}. */
    static List<String> inEntries(String page) {
        return ENTRY.matcher(page)
                .results()
                .map(m -> text(m.group(1).replaceAll("<[^>]+>", "*"), m.group(2), m.group(3) == null ? "" : m.group(3)))
                .toList();
    }

    /** Returns the text that {@link #inEntries} returns for the entry of this property. */
    String entry() {
        return text(name, type, defaultValue);
    }

    private static String text(String name, String type, String defaultValue) {
        return name + ": " + type + " = " + defaultValue;
    }

    /** Returns the name with the word that a page uses for the key of a map. */
    String shownName() {
        return name.replace("acidq.queues.*", "acidq.queues.<queue>").replace("*", "<name>");
    }

    private static List<Property> of(JsonNode json) throws ClassNotFoundException {
        String name = json.path("name").asString();
        Matcher map = MAP.matcher(json.path("type").asString());
        if (map.matches()) {
            return ofRecord(
                    name + ".*.", Class.forName(map.group(1))); // the metadata does not describe the values of a map
        }
        JsonNode value = json.path("defaultValue");
        return List.of(new Property(
                name,
                simple(json.path("type").asString()),
                value.isValueNode() ? value.asString() : "",
                json.path("description").asString()));
    }

    /** Returns the properties of a record. A record among its components is a group of properties. */
    private static List<Property> ofRecord(String prefix, Class<?> type) {
        String javadoc = javadocOf(type);
        List<Property> properties = new ArrayList<>();
        for (Parameter p : type.getDeclaredConstructors()[0].getParameters()) {
            String name = prefix + dashed(p.getName());
            if (p.getType().isRecord()) {
                properties.addAll(ofRecord(name + ".", p.getType()));
            } else {
                properties.add(new Property(
                        name,
                        simple(p.getParameterizedType().getTypeName()),
                        defaultOf(p),
                        parameter(javadoc, p.getName())));
            }
        }
        return properties;
    }

    /** Returns a type without packages, outer classes and bounds. */
    private static String simple(String type) {
        return switch (type) {
            case "boolean", "int", "double" -> type;
            case "java.lang.Boolean" -> "boolean";
            case "java.lang.Integer" -> "int";
            case "java.lang.Double" -> "double";
            default ->
                type.replaceAll("[\\w.$]+[.$](\\w+)", "$1")
                        .replace("Class<? extends Throwable>", "Class")
                        .replaceAll("^Action$", "OnDuplicate");
        };
    }

    /** Returns the Javadoc of a record, also of a nested one. */
    private static String javadocOf(Class<?> type) {
        String source = Project.text("queue-spring-boot-starter/src/main/java/"
                + type.getNestHost().getName().replace('.', '/') + ".java");
        String before = source.substring(0, source.indexOf("record " + type.getSimpleName() + "("));
        return before.substring(before.lastIndexOf("/**"));
    }

    private static String parameter(String javadoc, String parameter) {
        Matcher text = Pattern.compile("@param " + parameter + "\\s+(.*?)(?=\\n *\\* @param|\\n *\\*/)", Pattern.DOTALL)
                .matcher(javadoc);
        return text.find() ? text.group(1).replaceAll("\\s*\\n *\\*\\s*", " ") : "";
    }

    private static String defaultOf(Parameter parameter) {
        DefaultValue value = parameter.getAnnotation(DefaultValue.class);
        return value == null ? "" : String.join(",", value.value());
    }

    private static String dashed(String name) {
        return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
