package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbHandlerAbuseIT extends HandlerAbuseConformance {

    MariaDbHandlerAbuseIT() {
        super(ServerKind.MARIADB);
    }
}
