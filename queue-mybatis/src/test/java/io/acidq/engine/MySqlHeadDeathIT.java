package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlHeadDeathIT extends HeadDeathConformance {

    MySqlHeadDeathIT() {
        super(ServerKind.MYSQL);
    }
}
