package io.acidq.chaos.broken;

import io.acidq.store.Store;
import javax.sql.DataSource;

/** What is wrong with a store. One object for all nodes of a story: what it remembers, all of them know. */
@FunctionalInterface
interface Flaw {

    Flaw NONE = (store, dataSource) -> store;

    /**
     * The store with the flaw.
     *
     * @param dataSource for wrong SQL, past the same traps
     */
    Store over(Store store, DataSource dataSource);
}
