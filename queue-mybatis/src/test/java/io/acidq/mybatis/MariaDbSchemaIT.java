package io.acidq.mybatis;

import io.acidq.testservers.ServerKind;

class MariaDbSchemaIT extends RealSchemaConformance {

    @Override
    ServerKind kind() {
        return ServerKind.MARIADB;
    }
}
