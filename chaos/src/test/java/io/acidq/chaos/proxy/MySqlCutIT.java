package io.acidq.chaos.proxy;

import io.acidq.testservers.ServerKind;

class MySqlCutIT extends CutConformance {

    MySqlCutIT() {
        super(ServerKind.MYSQL);
    }
}
