package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlPayloadAbuseIT extends PayloadAbuseConformance {

    MySqlPayloadAbuseIT() {
        super(ServerKind.MYSQL);
    }
}
