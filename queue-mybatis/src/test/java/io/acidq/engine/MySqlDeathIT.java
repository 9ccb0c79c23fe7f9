package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlDeathIT extends DeathConformance {

    MySqlDeathIT() {
        super(ServerKind.MYSQL);
    }
}
