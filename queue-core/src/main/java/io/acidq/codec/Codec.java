package io.acidq.codec;

import io.acidq.MessageRejectedException;

/** Turns payloads into bytes and back. Thread-safe; takes no part in transactions. */
public interface Codec {

    /**
     * Encodes a payload.
     *
     * @throws io.acidq.MessageRejectedException when it can not be encoded
     */
    Encoded encode(Object payload);

    /**
     * Reads a payload as the type that the listener asks for. The stored type name is compared with that type's name; it
     * never chooses a class.
     *
     * @throws UndecodableException when the bytes or the type name do not fit
     */
    <T> T decode(Encoded encoded, Class<T> as);

    /**
     * An encoded payload.
     *
     * @param type  the logical name of its type, 1 to 100 characters
     * @param bytes its bytes
     */
    record Encoded(String type, byte[] bytes) {

        private static final int CHARACTERS = 100;

        public Encoded {
            if (type.isEmpty() || type.codePointCount(0, type.length()) > CHARACTERS) {
                throw new MessageRejectedException("the name of a payload's type must have 1 to " + CHARACTERS
                        + " characters, the codec gave '" + type + "': name the type with @MessageType");
            }
        }
    }
}
