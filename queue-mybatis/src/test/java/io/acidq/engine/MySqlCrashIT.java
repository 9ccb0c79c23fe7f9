package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlCrashIT extends CrashConformance {

    MySqlCrashIT() {
        super(ServerKind.MYSQL);
    }
}
