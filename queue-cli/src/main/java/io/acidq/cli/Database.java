package io.acidq.cli;

import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.time.Instant;

/**
 * A database.
 *
 * @param engine an engine without listeners, which is not started
 */
record Database(Engine engine, Store store) {

    /** By the database's clock. */
    Instant now() {
        return store.server().session().now();
    }
}
