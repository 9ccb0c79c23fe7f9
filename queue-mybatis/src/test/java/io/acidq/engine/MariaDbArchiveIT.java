package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbArchiveIT extends ArchiveConformance {

    MariaDbArchiveIT() {
        super(ServerKind.MARIADB);
    }
}
