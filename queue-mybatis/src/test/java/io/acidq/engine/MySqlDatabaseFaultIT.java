package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlDatabaseFaultIT extends DatabaseFaultConformance {

    MySqlDatabaseFaultIT() {
        super(ServerKind.MYSQL);
    }
}
