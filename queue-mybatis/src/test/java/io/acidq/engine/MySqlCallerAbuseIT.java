package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlCallerAbuseIT extends CallerAbuseConformance {

    MySqlCallerAbuseIT() {
        super(ServerKind.MYSQL);
    }
}
