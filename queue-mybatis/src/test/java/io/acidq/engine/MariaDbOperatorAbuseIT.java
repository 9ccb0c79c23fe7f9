package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbOperatorAbuseIT extends OperatorAbuseConformance {

    MariaDbOperatorAbuseIT() {
        super(ServerKind.MARIADB);
    }
}
