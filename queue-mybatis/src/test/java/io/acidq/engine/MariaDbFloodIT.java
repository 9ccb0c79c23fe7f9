package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbFloodIT extends FloodConformance {

    MariaDbFloodIT() {
        super(ServerKind.MARIADB);
    }
}
