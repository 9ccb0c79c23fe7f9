package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlInboxIT extends InboxConformance {

    MySqlInboxIT() {
        super(ServerKind.MYSQL);
    }
}
