package io.acidq.codec;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * A codec for JSON by Jackson 3. It refuses a mapper with default typing, which would let a payload choose the classes to instantiate; default typing
 * is off by default. Immutable.
 *
 * <p><b>Stored types.</b> A payload is stored under the name of its class ({@link MessageType}, else the simple name). A generated class (a proxy, an
 * anonymous class, the body of an enum constant, a class that the JDK hides) is stored as the nearest class above it. Each {@code Map} is stored as
 * {@code Map}, each collection as {@code List}, each tree of Jackson as {@code JsonNode}.
 *
 * <p><b>What a class reads.</b> A listener's class reads its own name, and the names of the subtypes that it permits (sealed) or that Jackson knows
 * ({@code @JsonSubTypes}, {@code registerSubtypes}, {@code @JsonDeserialize(as = …)}). A class of numbers reads each number that fits. {@code Map}, {@code
 * Collection} and their subtypes, {@code JsonNode} and {@code Object} read any name.
 */
public final class JacksonCodec implements Codec {

    private enum PayloadCheck {
        ROUND_TRIP,
        EVERY_PAYLOAD,
        ENTITIES,
        UNKNOWN_FIELDS,
        MISSING_FIELDS
    }

    private final ObjectMapper given;
    private final Set<PayloadCheck> checks;
    private final ObjectMapper mapper;
    private final ObjectReader reader;
    private final PayloadTypes types;

    /** Writes sets and maps in a fixed order; null until it is first used. */
    private volatile @Nullable ObjectMapper reproducible;

    /** The number of classes that Jackson has written, alone or within a payload. */
    private final AtomicInteger writtenClasses = new AtomicInteger();

    /** A codec with the default mapper. */
    public JacksonCodec() {
        this(JsonMapper.builder().build());
    }

    /**
     * A codec with a mapper of the application.
     *
     * @throws QueueMisuseException when default typing is on
     */
    public JacksonCodec(ObjectMapper mapper) {
        this(mapper, EnumSet.of(PayloadCheck.ROUND_TRIP, PayloadCheck.ENTITIES));
    }

    private JacksonCodec(ObjectMapper given, Set<PayloadCheck> checks) {
        if (given.deserializationConfig().getDefaultTyper(given.constructType(Object.class)) != null) {
            throw new QueueMisuseException(
                    "the ObjectMapper for payloads has default typing on, so that a payload could choose classes:"
                            + " give AcidQ an ObjectMapper without it, or a Codec of your own");
        }
        this.given = given;
        this.checks = checks;
        SimpleModule module = new SimpleModule("acidq");
        module.setSerializerModifier(new ClassChecks(checks, writtenClasses));
        this.mapper = given.rebuild().addModule(module).build();
        ObjectReader plain = mapper.reader();
        ObjectReader known = checks.contains(PayloadCheck.UNKNOWN_FIELDS)
                ? plain.with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                : plain;
        this.reader = checks.contains(PayloadCheck.MISSING_FIELDS)
                ? known.with(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                : known;
        this.types = new PayloadTypes(mapper);
    }

    /**
     * Returns a codec that checks at the encoding whether payloads can be read, or a codec that does not. It reads the first payload of each class again,
     * and refuses a payload that cannot be read. It also reads a later payload that contains the first object of another class, or one of a class of
     * which a payload was refused. The enqueue then also reads the first payload of each class as the class of the queue's listener, if the process has
     * one. Default: true. Switch it off in a process that only writes its classes.
     */
    public JacksonCodec withRoundTripCheck(boolean check) {
        return with(PayloadCheck.ROUND_TRIP, check);
    }

    /**
     * Returns a codec that reads every payload again, or only those that {@link #withRoundTripCheck} says. Default: false. For tests and development: each
     * enqueue then pays for the reading.
     */
    public JacksonCodec withCheckOfEveryPayload(boolean check) {
        return with(PayloadCheck.EVERY_PAYLOAD, check);
    }

    /**
     * Returns a codec that accepts JPA entities, or one that refuses them, alone or within a payload. Default: false, because an entity is encoded before
     * the database generates its id, and with whatever is loaded at that time.
     */
    public JacksonCodec withEntities(boolean allowed) {
        return with(PayloadCheck.ENTITIES, !allowed);
    }

    /** Returns a codec for which a field of the JSON that the class does not have makes the payload undecodable, or one that leaves it to the mapper. Default: false. */
    public JacksonCodec withFailOnUnknownFields(boolean fail) {
        return with(PayloadCheck.UNKNOWN_FIELDS, fail);
    }

    /**
     * Returns a codec for which an absent component of a record, or parameter of another creator, makes the payload undecodable, or one that leaves it to
     * the mapper. Default: false, which reads null. Properties with a setter are not checked.
     */
    public JacksonCodec withFailOnMissingFields(boolean fail) {
        return with(PayloadCheck.MISSING_FIELDS, fail);
    }

    private JacksonCodec with(PayloadCheck check, boolean on) {
        EnumSet<PayloadCheck> changed = EnumSet.copyOf(checks);
        if (on) {
            changed.add(check);
        } else {
            changed.remove(check);
        }
        return new JacksonCodec(given, changed);
    }

    @Override
    public boolean checksRoundTrip() {
        return checks.contains(PayloadCheck.ROUND_TRIP);
    }

    @Override
    public boolean checksEveryPayload() {
        return checks.contains(PayloadCheck.EVERY_PAYLOAD);
    }

    @Override
    public Encoded encode(Object payload) {
        Class<?> runtimeClass = payload.getClass();
        PayloadTypes.StoredType stored = types.stored(runtimeClass);
        int classesBefore = writtenClasses.get();
        Encoded encoded = new Encoded(stored.name(), bytes(mapper, payload, stored.writtenAs()));
        if (checksRoundTrip()
                && (!stored.isReadAgain() || writtenClasses.get() != classesBefore || checksEveryPayload())) {
            try {
                decode(encoded, stored.readAs());
            } catch (UndecodableException e) {
                stored.setRefused();
                throw new MessageRejectedException(
                        "a payload of type " + runtimeClass.getName() + " can be written as JSON, but not read again ("
                                + reason(e)
                                + "): make it a record, or give it a creator; if this process only writes the"
                                + " class, set acidq.payload.check-round-trip=false or JacksonCodec.withRoundTripCheck(false)",
                        e);
            }
            stored.setReadAgain();
        }
        return encoded;
    }

    /**
     * Encodes a payload, with the elements of sets and the entries of maps in the order of their texts. Collections that have an order of their own keep it: sorted and
     * linked ones, and those of enums.
     */
    @Override
    public Encoded encodeReproducibly(Object payload) {
        PayloadTypes.StoredType stored = types.stored(payload.getClass());
        ObjectMapper writer = reproducible;
        if (writer == null) {
            writer = FixedOrder.in(mapper);
            reproducible = writer;
        }
        return new Encoded(stored.name(), bytes(writer, payload, stored.writtenAs()));
    }

    private static byte[] bytes(ObjectMapper mapper, Object payload, Class<?> type) {
        try {
            return type == payload.getClass()
                    ? mapper.writeValueAsBytes(payload)
                    : mapper.writerFor(type).writeValueAsBytes(payload);
        } catch (JacksonException e) {
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof MessageRejectedException) {
                    throw new MessageRejectedException(Objects.requireNonNullElse(cause.getMessage(), "" + e), e);
                }
            }
            throw new MessageRejectedException(
                    "a payload of type " + payload.getClass().getName()
                            + " cannot be encoded as JSON: make it a record or a bean",
                    e);
        }
    }

    private static String reason(UndecodableException e) {
        return e.getCause() instanceof JacksonException jackson ? jackson.getOriginalMessage() : "" + e.getMessage();
    }

    @Override
    @SuppressWarnings("unchecked") // the wrapper of a primitive type
    public <T> T decode(Encoded encoded, Class<T> as) {
        Class<T> listened = (Class<T>) MethodType.methodType(as).wrap().returnType();
        Class<?> type = types.readableAs(encoded.type(), listened);
        if (type == null) {
            throw new UndecodableException("the message holds a payload of type '" + encoded.type()
                    + "', but the listener expects '" + PayloadTypes.name(listened) + "' (" + as.getName()
                    + "): if the class was renamed, name the type with @MessageType; if the listener takes several classes,"
                    + " let it take a sealed type that permits them");
        }
        try {
            Object payload = reader.forType(type).readValue(encoded.bytes());
            if (payload == null) {
                throw new UndecodableException("the payload is JSON null, but the listener expects a " + as.getName()
                        + ": discard the message, or edit its payload and replay it");
            }
            return listened.cast(payload);
        } catch (JacksonException e) {
            throw new UndecodableException(
                    "the payload cannot be read as JSON of " + type.getName()
                            + ": make the class read it, then replay the message",
                    e);
        }
    }

    /** Refuses classes, also within a payload, whose content would not be in the message. Jackson asks it once for each class. */
    private static final class ClassChecks extends ValueSerializerModifier {

        private static final long serialVersionUID = 1L;

        private static final Set<String> ENTITY = Set.of("jakarta.persistence.Entity", "javax.persistence.Entity");

        private final boolean refusesEntities;
        private final boolean refusesEmpty;
        private final AtomicInteger writtenClasses;

        ClassChecks(Set<PayloadCheck> checks, AtomicInteger writtenClasses) {
            this.writtenClasses = writtenClasses;
            this.refusesEntities = checks.contains(PayloadCheck.ENTITIES);
            this.refusesEmpty = checks.contains(PayloadCheck.ROUND_TRIP);
        }

        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription.Supplier bean, List<BeanPropertyWriter> properties) {
            Class<?> type = bean.getBeanClass();
            writtenClasses.incrementAndGet();
            if (refusesEntities && isEntity(type)) {
                throw new MessageRejectedException("the payload is or contains the JPA entity " + type.getName()
                        + ", which would be stored before the database generates its id, and with whatever is loaded now:"
                        + " enqueue a record of ids and values, or set acidq.payload.allow-entities=true or"
                        + " JacksonCodec.withEntities(true)");
            }
            if (refusesEmpty && properties.isEmpty() && bean.get().findAnyGetter() == null && hasContent(type)) {
                throw new MessageRejectedException("the payload is or contains a " + type.getName()
                        + ", and Jackson writes none of its fields: make it a record, or give it getters");
            }
            return properties;
        }

        private static boolean isEntity(Class<?> type) {
            return hierarchy(type)
                    .flatMap(each -> Stream.of(each.getAnnotations()))
                    .anyMatch(each -> ENTITY.contains(each.annotationType().getName()));
        }

        /** Returns whether the class has a field that Jackson is not told to ignore. */
        private static boolean hasContent(Class<?> type) {
            return hierarchy(type)
                    .flatMap(each -> Stream.of(each.getDeclaredFields()))
                    .anyMatch(field -> !Modifier.isStatic(field.getModifiers())
                            && !Modifier.isTransient(field.getModifiers())
                            && !field.isSynthetic()
                            && field.getAnnotations().length == 0);
        }

        private static Stream<Class<?>> hierarchy(Class<?> type) {
            return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass);
        }
    }
}
