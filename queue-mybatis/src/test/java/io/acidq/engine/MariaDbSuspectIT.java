package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbSuspectIT extends SuspectConformance {

    MariaDbSuspectIT() {
        super(ServerKind.MARIADB);
    }
}
