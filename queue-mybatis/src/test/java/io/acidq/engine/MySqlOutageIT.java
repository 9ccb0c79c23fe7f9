package io.acidq.engine;

import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;

class MySqlOutageIT extends OutageConformance {

    MySqlOutageIT() {
        super(ServerKind.MYSQL);
    }

    @Override
    void readOnly(Connection admin, boolean value) throws SQLException {
        try (var set = admin.createStatement()) {
            set.execute("SET GLOBAL " + (value ? "super_read_only = 1" : "read_only = 0"));
        }
    }
}
