package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbMishapIT extends MishapConformance {

    MariaDbMishapIT() {
        super(ServerKind.MARIADB);
    }
}
