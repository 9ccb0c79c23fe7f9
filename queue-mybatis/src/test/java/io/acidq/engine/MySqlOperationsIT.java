package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlOperationsIT extends OperationsConformance {

    MySqlOperationsIT() {
        super(ServerKind.MYSQL);
    }
}
