package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlOrderIT extends OrderConformance {

    MySqlOrderIT() {
        super(ServerKind.MYSQL);
    }
}
