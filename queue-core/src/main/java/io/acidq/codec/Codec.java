package io.acidq.codec;

import io.acidq.MessageRejectedException;

/**
 * Encodes payloads as bytes and decodes them. An engine has one codec; the default is {@link JacksonCodec}. Must be thread-safe. It is called before any
 * SQL of an enqueue, and before the handler.
 */
public interface Codec {

    /**
     * Encodes a payload.
     *
     * @return the bytes and the logical name of the payload's type
     * @throws io.acidq.MessageRejectedException when the payload cannot be encoded
     */
    Encoded encode(Object payload);

    /**
     * Encodes a payload as {@link #encode} does, and so that equal payloads have equal bytes in every process. The iteration order of {@code Set.of}, {@code Map.of},
     * {@code HashSet} and {@code HashMap} differs between processes. Used for recurring messages, whose definitions are compared at each start and put. The default
     * calls {@link #encode}: enough for a codec whose bytes do not depend on that order.
     */
    default Encoded encodeReproducibly(Object payload) {
        return encode(payload);
    }

    /**
     * Decodes a payload as the type of the listener. The stored type name is compared with the name of that type; a codec must never load a class by
     * a stored name.
     *
     * @param as the payload type of the listener
     * @throws UndecodableException when the bytes or the type name do not match the type
     */
    <T> T decode(Encoded encoded, Class<T> as);

    /**
     * Returns whether an enqueue reads the first payload of each class again, as the class of the queue's listener if the process has one, and refuses it
     * if {@link #decode} throws an {@link UndecodableException}. Default: false.
     */
    default boolean checksRoundTrip() {
        return false;
    }

    /** Returns whether {@link #checksRoundTrip} is about every payload, not only the first one of each class. Default: false. */
    default boolean checksEveryPayload() {
        return false;
    }

    /**
     * An encoded payload.
     *
     * @param type  the logical name of the payload's type, 1 to 100 characters
     * @param bytes the encoded payload
     */
    record Encoded(String type, byte[] bytes) {

        private static final int CHARACTERS = 100;

        public Encoded {
            if (type.isEmpty() || type.codePointCount(0, type.length()) > CHARACTERS) {
                throw new MessageRejectedException("the name of a payload's type must have 1 to " + CHARACTERS
                        + " characters, but the codec gave '" + type + "': name the type with @MessageType");
            }
        }
    }
}
