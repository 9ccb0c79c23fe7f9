package io.acidq.test;

import io.acidq.testservers.ServerKind;

class MySqlTestQueueIT extends TestQueueCases {

    MySqlTestQueueIT() {
        super(ServerKind.MYSQL);
    }
}
