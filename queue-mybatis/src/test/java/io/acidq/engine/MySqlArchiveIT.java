package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlArchiveIT extends ArchiveConformance {

    MySqlArchiveIT() {
        super(ServerKind.MYSQL);
    }
}
