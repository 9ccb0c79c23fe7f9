package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbNameAbuseIT extends NameAbuseConformance {

    MariaDbNameAbuseIT() {
        super(ServerKind.MARIADB);
    }
}
