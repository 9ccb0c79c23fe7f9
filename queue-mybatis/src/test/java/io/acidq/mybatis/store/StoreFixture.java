package io.acidq.mybatis.store;

import io.acidq.store.ClaimStore;
import io.acidq.store.EnqueueStore;
import io.acidq.store.NodeStore;
import io.acidq.store.Store;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A store of the kind that the class is run with, and a queue of the test's own. */
abstract class StoreFixture {

    @Parameter
    StoreKind kind;

    QueueFixture queueFixture;
    Store store;
    EnqueueStore enqueue;
    ClaimStore claims;
    NodeStore nodes;

    StoreDatabase database() {
        return kind.database();
    }

    @BeforeEach
    void openQueue() {
        queueFixture = new QueueFixture(database());
        store = database().store();
        enqueue = store.enqueue();
        claims = store.claims();
        nodes = store.nodes();
    }
}
