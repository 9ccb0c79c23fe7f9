package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbOrderIT extends OrderConformance {

    MariaDbOrderIT() {
        super(ServerKind.MARIADB);
    }
}
