package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlEngineIT extends EngineConformance {

    MySqlEngineIT() {
        super(ServerKind.MYSQL);
    }
}
