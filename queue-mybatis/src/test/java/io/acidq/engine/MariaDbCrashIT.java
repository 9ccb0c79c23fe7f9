package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbCrashIT extends CrashConformance {

    MariaDbCrashIT() {
        super(ServerKind.MARIADB);
    }
}
