package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbClaimStrategyIT extends ClaimStrategyConformance {

    MariaDbClaimStrategyIT() {
        super(ServerKind.MARIADB);
    }
}
