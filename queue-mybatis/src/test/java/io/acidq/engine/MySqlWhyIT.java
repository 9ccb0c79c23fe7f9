package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlWhyIT extends WhyConformance {

    MySqlWhyIT() {
        super(ServerKind.MYSQL);
    }
}
