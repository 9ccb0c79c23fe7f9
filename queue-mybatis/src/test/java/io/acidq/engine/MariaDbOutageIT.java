package io.acidq.engine;

import io.acidq.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;

class MariaDbOutageIT extends OutageConformance {

    MariaDbOutageIT() {
        super(ServerKind.MARIADB);
    }

    @Override
    void readOnly(Connection admin, boolean value) throws SQLException {
        try (var set = admin.createStatement()) {
            set.execute("SET GLOBAL read_only = " + (value ? 1 : 0));
        }
    }

    @Override
    void withoutPowerOverReadOnly() {
        server().server().execute("REVOKE SUPER, READ ONLY ADMIN ON *.* FROM app@'%'");
    }
}
