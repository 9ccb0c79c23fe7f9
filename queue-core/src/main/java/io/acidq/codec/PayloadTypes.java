package io.acidq.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.acidq.MessageRejectedException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.AnnotatedClassResolver;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.jsontype.TypeSerializer;

/**
 * The classes and names under which payloads are stored, and the names that the class of a listener reads. A name leads only to the listener's class, or
 * to a subtype of it that the class or the mapper lists. Thread-safe.
 */
final class PayloadTypes {

    private static final int NAME_CHARACTERS = 100;

    private static final Set<Class<?>> INTEGERS =
            Set.of(Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);
    private static final Set<Class<?>> DECIMALS = Set.of(Float.class, Double.class, BigDecimal.class, Number.class);

    /** Type ids with which Jackson reads subtypes that it does not know. */
    private static final Set<JsonTypeInfo.Id> CLASS_IDS =
            Set.of(JsonTypeInfo.Id.CLASS, JsonTypeInfo.Id.MINIMAL_CLASS, JsonTypeInfo.Id.CUSTOM);

    private final ObjectMapper mapper;
    private final ClassValue<StoredType> stored = computed(this::store);
    private final ClassValue<Map<String, Class<?>>> readable = computed(this::findReadable);

    PayloadTypes(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** How payloads of one run-time class are stored. */
    static final class StoredType {

        private final String name;
        private final Class<?> writtenAs;
        private final Class<?> readAs;
        private volatile boolean readAgain;
        private volatile boolean refused;

        private StoredType(String name, Class<?> writtenAs, Class<?> readAs) {
            this.name = name;
            this.writtenAs = writtenAs;
            this.readAs = readAs;
        }

        /** Returns the run-time class, or the nearest one above it that a listener can declare. */
        Class<?> writtenAs() {
            return writtenAs;
        }

        /** Returns the class as which the payload must be readable. */
        Class<?> readAs() {
            return readAs;
        }

        String name() {
            return name;
        }

        /** Returns whether a payload of the run-time class has been read again, and none was refused. */
        boolean isReadAgain() {
            return readAgain;
        }

        void setReadAgain() {
            readAgain = !refused;
        }

        /** Lets each later payload of the class be read again, because some of them are readable and some are not. */
        void setRefused() {
            refused = true;
            readAgain = false;
        }
    }

    /**
     * Returns how payloads of a run-time class are stored.
     *
     * @throws MessageRejectedException when the class has no name, or one that is too long
     */
    StoredType stored(Class<?> runtimeClass) {
        return stored.get(runtimeClass);
    }

    /** Returns the class as which a payload that was stored under a name is read for a listener; null if the listener's class cannot read it. */
    @Nullable
    Class<?> readableAs(String name, Class<?> listened) {
        return isOpen(listened) ? listened : readable.get(listened).get(name);
    }

    static String name(Class<?> type) {
        MessageType named = type.getAnnotation(MessageType.class);
        String name = named == null ? unannotatedName(type) : named.value();
        if (name.isEmpty() || name.length() > NAME_CHARACTERS) {
            throw new MessageRejectedException("the logical type name of " + type.getName() + " must have 1 to "
                    + NAME_CHARACTERS + " characters: use a record, or give the class a @MessageType");
        }
        return name;
    }

    private static String unannotatedName(Class<?> type) {
        if (Map.class.isAssignableFrom(type)) {
            return "Map";
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "List";
        }
        return JsonNode.class.isAssignableFrom(type) ? "JsonNode" : type.getSimpleName();
    }

    private StoredType store(Class<?> runtimeClass) {
        if (isOpen(runtimeClass)) {
            return new StoredType(name(runtimeClass), runtimeClass, Object.class);
        }
        Class<?> type = runtimeClass;
        for (Class<?> above = parent(type); above != null && isGenerated(type); above = parent(type)) {
            type = above;
        }
        TypeSerializer polymorphic = polymorphic(type);
        boolean isOpenHierarchy = polymorphic != null
                && CLASS_IDS.contains(polymorphic.getTypeIdResolver().getMechanism());
        return new StoredType(name(isOpenHierarchy ? polymorphicBase(type) : type), type, type);
    }

    /** Returns whether no listener declares the class, because a compiler or a library generated it, or because the JDK hides it. */
    private static boolean isGenerated(Class<?> type) {
        if (type.isAnnotationPresent(MessageType.class)) {
            return false;
        }
        return type.isAnonymousClass()
                || type.isSynthetic()
                || type.isHidden()
                || Proxy.isProxyClass(type)
                || isHiddenInJdk(type)
                || type.getName().contains("$$") // CGLIB, Javassist
                || type.getName().contains("$ByteBuddy$")
                || type.getSimpleName().startsWith("AutoValue_")
                || Stream.of(type.getInterfaces())
                        .anyMatch(each -> each.getName().equals("org.hibernate.proxy.HibernateProxy"));
    }

    private static boolean isHiddenInJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return (loader == null || loader == ClassLoader.getPlatformClassLoader())
                && !type.isArray()
                && (!Modifier.isPublic(type.getModifiers()) || !type.getModule().isExported(type.getPackageName()));
    }

    /** Returns the superclass; of a class that extends nothing, its first interface. */
    private static @Nullable Class<?> parent(Class<?> type) {
        Class<?> superclass = type.getSuperclass();
        if (superclass != null && superclass != Object.class && superclass != Proxy.class) {
            return superclass;
        }
        return type.getInterfaces().length == 0 ? null : type.getInterfaces()[0];
    }

    /** Returns whether the class says nothing about the content, so that it reads each payload whose JSON fits. */
    private static boolean isOpen(Class<?> listened) {
        return !listened.isAnnotationPresent(MessageType.class)
                && (listened == Object.class
                        || Map.class.isAssignableFrom(listened)
                        || Collection.class.isAssignableFrom(listened)
                        || JsonNode.class.isAssignableFrom(listened));
    }

    /** Returns the names that a listener's class reads, each with the class as which its payloads are read. */
    private Map<String, Class<?>> findReadable(Class<?> listened) {
        DeserializationConfig config = mapper.deserializationConfig();
        JavaType type = config.constructType(listened);
        AnnotatedClass annotated = AnnotatedClassResolver.resolve(config, type, config);
        boolean jacksonChooses = polymorphic(listened) != null;
        Map<String, Class<?>> found = new HashMap<>();
        Set<String> ambiguous = new HashSet<>();
        for (Class<?> subtype : subtypes(listened, annotated)) {
            Class<?> other = found.put(name(subtype), jacksonChooses ? listened : subtype);
            if (other != null && !jacksonChooses) {
                ambiguous.add(name(subtype));
            }
        }
        found.keySet().removeAll(ambiguous);
        if (jacksonChooses) {
            found.put(name(polymorphicBase(listened)), listened);
        }
        JavaType implementation = config.getAnnotationIntrospector().refineDeserializationType(config, annotated, type);
        found.put(name(implementation.getRawClass()), listened);
        boolean isDecimal = DECIMALS.contains(listened);
        if (isDecimal || INTEGERS.contains(listened)) {
            INTEGERS.forEach(integer -> found.put(name(integer), listened));
        }
        if (isDecimal) {
            DECIMALS.forEach(decimal -> found.put(name(decimal), listened));
        }
        found.put(name(listened), listened);
        return found;
    }

    /** Returns the subtypes that a sealed class permits, and those that Jackson knows by an annotation or from the mapper. */
    private Set<Class<?>> subtypes(Class<?> type, AnnotatedClass annotated) {
        Set<Class<?>> all = new HashSet<>();
        addPermitted(type, all);
        DeserializationConfig config = mapper.deserializationConfig();
        for (NamedType known : config.getSubtypeResolver().collectAndResolveSubtypesByClass(config, annotated)) {
            all.add(known.getType());
        }
        all.remove(type);
        all.removeIf(PayloadTypes::isGenerated);
        return all;
    }

    private static void addPermitted(Class<?> type, Set<Class<?>> all) {
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                all.add(permitted);
                addPermitted(permitted, all);
            }
        }
    }

    /** Returns how Jackson writes the type ids of a class's hierarchy; null if it writes none. */
    private @Nullable TypeSerializer polymorphic(Class<?> type) {
        return mapper._serializationContext().findTypeSerializer(mapper.constructType(type));
    }

    /** Returns the uppermost class or interface of a hierarchy for which Jackson writes type ids. */
    private Class<?> polymorphicBase(Class<?> type) {
        return Stream.concat(Stream.ofNullable(type.getSuperclass()), Stream.of(type.getInterfaces()))
                .filter(above -> polymorphic(above) != null)
                .findFirst()
                .<Class<?>>map(this::polymorphicBase)
                .orElse(type);
    }

    private static <V> ClassValue<V> computed(Function<Class<?>, V> compute) {
        return new ClassValue<>() {
            @Override
            protected V computeValue(Class<?> type) {
                return compute.apply(type);
            }
        };
    }
}
