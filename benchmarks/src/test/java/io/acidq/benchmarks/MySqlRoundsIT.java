package io.acidq.benchmarks;

import io.acidq.testservers.ServerKind;

class MySqlRoundsIT extends RoundsConformance {

    MySqlRoundsIT() {
        super(ServerKind.MYSQL);
    }
}
