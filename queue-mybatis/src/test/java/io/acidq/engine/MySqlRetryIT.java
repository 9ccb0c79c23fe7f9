package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlRetryIT extends RetryConformance {

    MySqlRetryIT() {
        super(ServerKind.MYSQL);
    }
}
