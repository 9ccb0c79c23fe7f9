package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbResilienceIT extends ResilienceConformance {

    MariaDbResilienceIT() {
        super(ServerKind.MARIADB);
    }
}
