package io.acidq.examples.boot3;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acidq.MessageRejectedException;
import io.acidq.codec.Codec;
import io.acidq.codec.MessageType;
import io.acidq.codec.UndecodableException;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** JSON by the application's own Jackson 2; AcidQ's codec is of Jackson 3. */
// snippet:codec
@Component
class Jackson2Codec implements Codec {

    private final ObjectMapper mapper;

    Jackson2Codec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public Encoded encode(Object payload) {
        try {
            return new Encoded(typeName(payload.getClass()), mapper.writeValueAsBytes(payload));
        } catch (JsonProcessingException e) {
            throw new MessageRejectedException("a " + payload.getClass().getName() + " cannot be encoded as JSON", e);
        }
    }

    @Override
    public <T> T decode(Encoded encoded, Class<T> as) {
        if (!encoded.type().equals(typeName(as))) {
            throw new UndecodableException("the message holds a " + encoded.type() + ", not a " + typeName(as));
        }
        try {
            return mapper.readValue(encoded.bytes(), as);
        } catch (IOException e) {
            throw new UndecodableException("the payload cannot be read as JSON of " + as.getName(), e);
        }
    }

    /** As AcidQ's own codec names it, which reads these messages on Boot 4. */
    private static String typeName(Class<?> type) {
        MessageType named = type.getAnnotation(MessageType.class);
        return named == null ? type.getSimpleName() : named.value();
    }
}
// /snippet
