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

    /**
     * Creates the tables that are missing, and changes nothing that is there; on a connection of its own.
     *
     * @throws QueueMisuseException when this store can not, or its user may not
     */
    default void create() {
        throw new QueueMisuseException(
                "this store creates no tables: let your migrations run AcidQ's DDL, or call Schema.create");
    }
}
