package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Test;

class MySqlIsolationIT extends IsolationConformance {

    MySqlIsolationIT() {
        super(ServerKind.MYSQL);
    }

    @Test
    void doesEverythingOnceWhereSessionsAreAtRepeatableRead() throws Exception {
        assertThat(story(c -> c.setTransactionIsolation("TRANSACTION_REPEATABLE_READ")))
                .isSubsetOf(1213);
    }

    @Test
    void doesEverythingOnceWhereSessionsAreSerializable() throws Exception {
        assertThat(story(c -> c.setTransactionIsolation("TRANSACTION_SERIALIZABLE")))
                .contains(1213);
    }
}
