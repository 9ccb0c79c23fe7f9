package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbGrantsIT extends GrantsConformance {

    MariaDbGrantsIT() {
        super(ServerKind.MARIADB);
    }
}
