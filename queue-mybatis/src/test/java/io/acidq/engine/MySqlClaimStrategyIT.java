package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlClaimStrategyIT extends ClaimStrategyConformance {

    MySqlClaimStrategyIT() {
        super(ServerKind.MYSQL);
    }
}
