package io.acidq.codec;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * A codec for JSON by Jackson 3. It refuses a mapper with default typing, which would let a payload choose the classes to instantiate; default typing
 * is off by default.
 */
public final class JacksonCodec implements Codec {

    private static final int TYPE_CHARACTERS = 100;

    private final ObjectMapper mapper;

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
        if (mapper.deserializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null) {
            throw new QueueMisuseException(
                    "the ObjectMapper for payloads has default typing on, so that a payload could choose classes:"
                            + " give AcidQ an ObjectMapper without it, or a Codec of your own");
        }
        this.mapper = mapper;
    }

    @Override
    public Encoded encode(Object payload) {
        String type = typeName(payload.getClass());
        try {
            return new Encoded(type, mapper.writeValueAsBytes(payload));
        } catch (JacksonException e) {
            throw new MessageRejectedException(
                    "a payload of type " + payload.getClass().getName()
                            + " cannot be encoded as JSON: make it a record or a bean",
                    e);
        }
    }

    @Override
    public <T> T decode(Encoded encoded, Class<T> as) {
        String expected = typeName(as);
        if (!encoded.type().equals(expected)) {
            throw new UndecodableException(
                    "the message holds a payload of type '" + encoded.type() + "', the listener expects '" + expected
                            + "' (" + as.getName() + "): if the class was renamed, name the type with @MessageType");
        }
        try {
            T payload = mapper.readValue(encoded.bytes(), as);
            if (payload == null) {
                throw new UndecodableException("the payload is JSON null, the listener expects a " + as.getName()
                        + ": discard the message, or edit its payload and replay it");
            }
            return payload;
        } catch (JacksonException e) {
            throw new UndecodableException(
                    "the payload cannot be read as JSON of " + as.getName()
                            + ": make the class read it, then replay the message",
                    e);
        }
    }

    private static String typeName(Class<?> type) {
        MessageType named = type.getAnnotation(MessageType.class);
        String name = named == null ? type.getSimpleName() : named.value();
        if (name.isEmpty() || name.length() > TYPE_CHARACTERS) {
            throw new MessageRejectedException("the logical type name of " + type.getName() + " must have 1 to "
                    + TYPE_CHARACTERS + " characters: give it a @MessageType");
        }
        return name;
    }
}
