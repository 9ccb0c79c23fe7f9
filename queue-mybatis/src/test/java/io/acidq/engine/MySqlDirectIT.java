package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlDirectIT extends DirectConformance {

    MySqlDirectIT() {
        super(ServerKind.MYSQL);
    }
}
