package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlScarceConnectionsIT extends ScarceConnectionsConformance {

    MySqlScarceConnectionsIT() {
        super(ServerKind.MYSQL);
    }
}
