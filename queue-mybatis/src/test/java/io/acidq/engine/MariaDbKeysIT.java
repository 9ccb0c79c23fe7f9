package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbKeysIT extends KeysConformance {

    MariaDbKeysIT() {
        super(ServerKind.MARIADB);
    }
}
