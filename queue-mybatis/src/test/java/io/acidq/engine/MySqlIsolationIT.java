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
        assertThat(story("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
                .isSubsetOf(1213);
    }

    @Test
    void doesEverythingOnceWhereSessionsAreSerializable() throws Exception {
        assertThat(story("SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE"))
                .contains(1213);
    }
}
