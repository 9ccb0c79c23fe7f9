package io.acidq.mybatis.store;

import io.acidq.store.ClaimStore;
import io.acidq.store.EnqueueStore;
import io.acidq.store.NodeStore;
import io.acidq.store.Store;
import org.junit.jupiter.api.BeforeEach;

/** Cases of the conformance suite, run by each kind of store. */
abstract class Cases {

    Scene scene;
    Store store;
    EnqueueStore enqueue;
    ClaimStore claims;
    NodeStore nodes;

    abstract StoreHome home();

    @BeforeEach
    void openScene() {
        scene = new Scene(home());
        store = home().store();
        enqueue = store.enqueue();
        claims = store.claims();
        nodes = store.nodes();
    }
}
