package io.acidq.benchmarks;

import io.acidq.testservers.ServerKind;

class MariaDbRoundsIT extends RoundsConformance {

    MariaDbRoundsIT() {
        super(ServerKind.MARIADB);
    }
}
