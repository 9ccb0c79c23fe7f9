package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlRunIT extends RunConformance {

    MySqlRunIT() {
        super(ServerKind.MYSQL);
    }
}
