package io.acidq.chaos.proxy;

import io.acidq.testservers.ServerKind;

class MariaDbCutIT extends CutConformance {

    MariaDbCutIT() {
        super(ServerKind.MARIADB);
    }
}
