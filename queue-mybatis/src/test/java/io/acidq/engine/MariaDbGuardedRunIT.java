package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbGuardedRunIT extends GuardedRunConformance {

    MariaDbGuardedRunIT() {
        super(ServerKind.MARIADB);
    }
}
