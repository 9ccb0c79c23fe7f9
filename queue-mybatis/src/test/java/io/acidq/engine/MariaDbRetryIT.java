package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbRetryIT extends RetryConformance {

    MariaDbRetryIT() {
        super(ServerKind.MARIADB);
    }
}
