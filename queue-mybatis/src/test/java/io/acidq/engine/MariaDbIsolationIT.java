package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Test;

class MariaDbIsolationIT extends IsolationConformance {

    MariaDbIsolationIT() {
        super(ServerKind.MARIADB);
    }

    @Test
    void doesEverythingOnceAndRunsWhatEndedWith1020AgainWhereSnapshotsAreIsolated() throws Exception {
        assertThat(story(c -> c.setConnectionInitSql("SET SESSION innodb_snapshot_isolation = ON")))
                .contains(1020);
    }

    @Test
    void doesEverythingOnceWhereSessionsAreSerializable() throws Exception {
        assertThat(story(c -> c.setTransactionIsolation("TRANSACTION_SERIALIZABLE")))
                .contains(1213);
    }
}
