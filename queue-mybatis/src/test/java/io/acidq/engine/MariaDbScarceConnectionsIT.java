package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbScarceConnectionsIT extends ScarceConnectionsConformance {

    MariaDbScarceConnectionsIT() {
        super(ServerKind.MARIADB);
    }
}
