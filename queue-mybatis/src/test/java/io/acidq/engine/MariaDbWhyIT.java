package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MariaDbWhyIT extends WhyConformance {

    MariaDbWhyIT() {
        super(ServerKind.MARIADB);
    }
}
