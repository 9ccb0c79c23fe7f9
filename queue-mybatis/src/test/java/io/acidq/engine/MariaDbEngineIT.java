package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbEngineIT extends EngineConformance {

    MariaDbEngineIT() {
        super(ServerKind.MARIADB);
    }
}
