package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlLockProbeIT extends LockProbeConformance {

    MySqlLockProbeIT() {
        super(ServerKind.MYSQL);
    }
}
