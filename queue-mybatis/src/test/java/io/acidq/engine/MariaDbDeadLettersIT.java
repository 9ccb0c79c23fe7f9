package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbDeadLettersIT extends DeadLettersConformance {

    MariaDbDeadLettersIT() {
        super(ServerKind.MARIADB);
    }
}
