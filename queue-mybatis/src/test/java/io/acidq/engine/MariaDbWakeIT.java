package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbWakeIT extends WakeConformance {

    MariaDbWakeIT() {
        super(ServerKind.MARIADB);
    }
}
