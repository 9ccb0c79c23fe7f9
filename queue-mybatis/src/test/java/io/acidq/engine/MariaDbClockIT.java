package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbClockIT extends ClockConformance {

    MariaDbClockIT() {
        super(ServerKind.MARIADB);
    }
}
