package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlClockIT extends ClockConformance {

    MySqlClockIT() {
        super(ServerKind.MYSQL);
    }
}
