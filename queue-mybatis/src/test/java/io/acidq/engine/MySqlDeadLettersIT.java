package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlDeadLettersIT extends DeadLettersConformance {

    MySqlDeadLettersIT() {
        super(ServerKind.MYSQL);
    }
}
