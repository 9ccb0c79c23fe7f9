package io.acidq.chaos.audit;

import io.acidq.testservers.ServerKind;

class MariaDbAuditorIT extends AuditorConformance {

    MariaDbAuditorIT() {
        super(ServerKind.MARIADB);
    }
}
