package io.acidq.test;

import io.acidq.testservers.ServerKind;

class MariaDbTestQueueIT extends TestQueueCases {

    MariaDbTestQueueIT() {
        super(ServerKind.MARIADB);
    }
}
