package io.acidq.chaos.broken;

import io.acidq.testservers.ServerKind;

class MySqlBrokenIT extends BrokenConformance {

    MySqlBrokenIT() {
        super(ServerKind.MYSQL);
    }
}
