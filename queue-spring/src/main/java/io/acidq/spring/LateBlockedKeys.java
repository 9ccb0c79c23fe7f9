package io.acidq.spring;

import io.acidq.BlockedKey;
import io.acidq.BlockedKeys;
import io.acidq.engine.Engine;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The blocked ordering keys of an engine that may not be built yet.
 *
 * @param engine the engine, asked for at each call
 */
record LateBlockedKeys(ObjectProvider<Engine> engine) implements BlockedKeys {

    @Override
    public List<BlockedKey> list(String queue, int limit) {
        return own().list(queue, limit);
    }

    @Override
    public boolean release(BlockedKey seen, String who, String why) {
        return own().release(seen, who, why);
    }

    private BlockedKeys own() {
        return engine.getObject().blockedKeys();
    }
}
