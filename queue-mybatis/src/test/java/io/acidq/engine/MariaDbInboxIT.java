package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbInboxIT extends InboxConformance {

    MariaDbInboxIT() {
        super(ServerKind.MARIADB);
    }
}
