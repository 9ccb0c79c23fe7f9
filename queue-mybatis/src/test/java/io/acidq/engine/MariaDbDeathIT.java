package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbDeathIT extends DeathConformance {

    MariaDbDeathIT() {
        super(ServerKind.MARIADB);
    }
}
