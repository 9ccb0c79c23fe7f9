package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlGuardedRunIT extends GuardedRunConformance {

    MySqlGuardedRunIT() {
        super(ServerKind.MYSQL);
    }
}
