package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlKeysIT extends KeysConformance {

    MySqlKeysIT() {
        super(ServerKind.MYSQL);
    }
}
