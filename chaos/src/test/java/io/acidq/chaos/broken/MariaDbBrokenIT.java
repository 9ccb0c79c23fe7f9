package io.acidq.chaos.broken;

import io.acidq.testservers.ServerKind;

class MariaDbBrokenIT extends BrokenConformance {

    MariaDbBrokenIT() {
        super(ServerKind.MARIADB);
    }
}
