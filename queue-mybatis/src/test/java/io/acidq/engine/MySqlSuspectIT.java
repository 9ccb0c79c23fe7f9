package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlSuspectIT extends SuspectConformance {

    MySqlSuspectIT() {
        super(ServerKind.MYSQL);
    }
}
