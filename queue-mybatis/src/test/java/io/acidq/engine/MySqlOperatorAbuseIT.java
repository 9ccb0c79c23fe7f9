package io.acidq.engine;

import io.acidq.testservers.ServerKind;

class MySqlOperatorAbuseIT extends OperatorAbuseConformance {

    MySqlOperatorAbuseIT() {
        super(ServerKind.MYSQL);
    }
}
