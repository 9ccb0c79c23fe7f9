package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlWakeIT extends WakeConformance {

    MySqlWakeIT() {
        super(ServerKind.MYSQL);
    }
}
