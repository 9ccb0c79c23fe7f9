package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlMishapIT extends MishapConformance {

    MySqlMishapIT() {
        super(ServerKind.MYSQL);
    }
}
