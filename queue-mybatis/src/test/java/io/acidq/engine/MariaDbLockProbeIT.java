package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbLockProbeIT extends LockProbeConformance {

    MariaDbLockProbeIT() {
        super(ServerKind.MARIADB);
    }
}
