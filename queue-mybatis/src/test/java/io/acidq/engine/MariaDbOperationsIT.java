package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbOperationsIT extends OperationsConformance {

    MariaDbOperationsIT() {
        super(ServerKind.MARIADB);
    }
}
