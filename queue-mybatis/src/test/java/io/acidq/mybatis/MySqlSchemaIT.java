package io.acidq.mybatis;

import io.acidq.testservers.ServerKind;

class MySqlSchemaIT extends RealSchemaConformance {

    @Override
    ServerKind kind() {
        return ServerKind.MYSQL;
    }
}
