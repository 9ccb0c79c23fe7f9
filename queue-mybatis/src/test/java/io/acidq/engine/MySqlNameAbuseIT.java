package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlNameAbuseIT extends NameAbuseConformance {

    MySqlNameAbuseIT() {
        super(ServerKind.MYSQL);
    }
}
