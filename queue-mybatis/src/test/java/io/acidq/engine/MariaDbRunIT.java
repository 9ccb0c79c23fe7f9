package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbRunIT extends RunConformance {

    MariaDbRunIT() {
        super(ServerKind.MARIADB);
    }
}
