package io.acidq.chaos.audit;

import io.acidq.testservers.ServerKind;

class MySqlAuditorIT extends AuditorConformance {

    MySqlAuditorIT() {
        super(ServerKind.MYSQL);
    }
}
