package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlFloodIT extends FloodConformance {

    MySqlFloodIT() {
        super(ServerKind.MYSQL);
    }
}
