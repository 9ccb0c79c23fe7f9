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
 * A property of the starter.
 *
 * @param name         its name; of a property in a map with {@code *} for the map's key
 * @param defaultValue its default as text, empty when it has none
 */
record Property(String name, String defaultValue) {

    /**
     * A property with what the metadata says of it; of one in a map, which metadata says nothing of, what its Javadoc says.
     *
     * @param type        the simple name of its type
     * @param description in words
     */
    record Described(Property property, String type, String description) {

        /** As {@link Property#inEntries} has it. */
        String entry() {
            return text(property.name(), type, property.defaultValue());
        }
    }

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final Pattern MAP = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(.+)>");
    private static final Pattern ENTRY = Pattern.compile(
            "^### `(acidq\\.[^`]+)`\\n\\n`([^`]+)`, (?:default `([^`]*)`|no default)[,.:]", Pattern.MULTILINE);

    /** What the starter has, by the metadata that the build has generated from its code. */
    static List<Property> ofTheStarter() throws IOException, ClassNotFoundException {
        return described().stream().map(Described::property).toList();
    }

    static List<Described> described() throws IOException, ClassNotFoundException {
        List<Described> properties = new ArrayList<>();
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

    /** The properties that a page has an entry for, as {@code name: type = default}. */
    static List<String> inEntries(String page) {
        return ENTRY.matcher(page)
                .results()
                .map(m -> text(m.group(1).replaceAll("<[^>]+>", "*"), m.group(2), m.group(3) == null ? "" : m.group(3)))
                .toList();
    }

    private static String text(String name, String type, String defaultValue) {
        return name + ": " + type + " = " + defaultValue;
    }

    /** With the name that a page gives to the key of a map. */
    String shownName() {
        return name.replace("acidq.queues.*", "acidq.queues.<queue>").replace("*", "<name>");
    }

    private static List<Described> of(JsonNode json) throws ClassNotFoundException {
        String name = json.path("name").asString();
        Matcher map = MAP.matcher(json.path("type").asString());
        if (map.matches()) {
            return ofMap(name, Class.forName(map.group(1)));
        }
        JsonNode value = json.path("defaultValue");
        return List.of(new Described(
                new Property(name, value.isValueNode() ? value.asString() : ""),
                simple(json.path("type").asString()),
                json.path("description").asString()));
    }

    /** The metadata says nothing about what is in a map. */
    private static List<Described> ofMap(String name, Class<?> valueType) {
        return ofRecord(name + ".*.", valueType);
    }

    /** A record among the parameters is a group of properties. */
    private static List<Described> ofRecord(String prefix, Class<?> type) {
        String javadoc = javadocOf(type);
        List<Described> properties = new ArrayList<>();
        for (Parameter p : type.getDeclaredConstructors()[0].getParameters()) {
            String name = prefix + dashed(p.getName());
            if (p.getType().isRecord()) {
                properties.addAll(ofRecord(name + ".", p.getType()));
            } else {
                properties.add(new Described(
                        new Property(name, defaultOf(p)),
                        simple(p.getParameterizedType().getTypeName()),
                        parameter(javadoc, p.getName())));
            }
        }
        return properties;
    }

    /** Without packages, outer classes and bounds that nobody reads. */
    private static String simple(String type) {
        return switch (type) {
            case "boolean", "int", "double" -> type;
            case "java.lang.Boolean" -> "boolean";
            case "java.lang.Integer" -> "int";
            case "java.lang.Double" -> "double";
            default ->
                type.replaceAll("[\\w.$]+[.$](\\w+)", "$1")
                        .replace("Class<? extends Throwable>", "Class")
                        .replace("Action", "OnDuplicate");
        };
    }

    /** Also of a record inside another class. */
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
