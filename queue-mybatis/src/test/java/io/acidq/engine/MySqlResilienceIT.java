package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlResilienceIT extends ResilienceConformance {

    MySqlResilienceIT() {
        super(ServerKind.MYSQL);
    }
}
