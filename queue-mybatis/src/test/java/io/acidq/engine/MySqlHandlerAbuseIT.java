package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlHandlerAbuseIT extends HandlerAbuseConformance {

    MySqlHandlerAbuseIT() {
        super(ServerKind.MYSQL);
    }
}
