package io.acidq.engine.listener;

import io.acidq.codec.Codec;
import java.nio.ByteBuffer;

/** A codec of payloads that are numbers. */
final class SimulatedCodec implements Codec {

    @Override
    public Encoded encode(Object payload) {
        throw new UnsupportedOperationException("rows are made without it");
    }

    @Override
    public <T> T decode(Encoded encoded, Class<T> as) {
        return as.cast(ByteBuffer.wrap(encoded.bytes()).getInt());
    }
}
