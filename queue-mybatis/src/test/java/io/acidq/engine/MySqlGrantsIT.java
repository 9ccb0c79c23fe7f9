package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlGrantsIT extends GrantsConformance {

    MySqlGrantsIT() {
        super(ServerKind.MYSQL);
    }
}
