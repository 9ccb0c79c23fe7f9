package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbPayloadAbuseIT extends PayloadAbuseConformance {

    MariaDbPayloadAbuseIT() {
        super(ServerKind.MARIADB);
    }
}
