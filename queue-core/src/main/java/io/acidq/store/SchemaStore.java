package io.acidq.store;

import io.acidq.QueueMisuseException;

/** The tables that a store works on. */
@FunctionalInterface
public interface SchemaStore {

    /**
     * Compares the tables with those that this store needs; a few reads, which an engine makes at each start.
     *
     * @throws QueueMisuseException that names every difference and its fix
     */
    void check();
}
