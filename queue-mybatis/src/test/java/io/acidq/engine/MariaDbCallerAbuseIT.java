package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbCallerAbuseIT extends CallerAbuseConformance {

    MariaDbCallerAbuseIT() {
        super(ServerKind.MARIADB);
    }
}
