package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbHeadDeathIT extends HeadDeathConformance {

    MariaDbHeadDeathIT() {
        super(ServerKind.MARIADB);
    }
}
