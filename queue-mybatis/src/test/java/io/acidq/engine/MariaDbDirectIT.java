package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbDirectIT extends DirectConformance {

    MariaDbDirectIT() {
        super(ServerKind.MARIADB);
    }
}
