package io.acidq.chaos.broken;

import io.acidq.store.NodeStore;
import io.acidq.store.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Reads what a dead node owns, and frees it by its id, whoever owns it by then. */
final class WrongRescue {

    private WrongRescue() {}

    static Store byId(Store store, DataSource dataSource) {
        Sql sql = new Sql(dataSource);
        return PortProxy.withNodes(store, PortProxy.replaceMethod(NodeStore.class, store.nodes(), "rescue", args -> {
            sql.inTransaction(connection -> rescue(connection, (int) args[0]));
            return List.of();
        }));
    }

    private static int rescue(Connection connection, int dead) throws SQLException {
        int freed = 0;
        for (long id : claimsOf(connection, dead)) {
            freed += Sql.update(
                    connection,
                    "UPDATE acidq_message SET owner = 0, attempts = attempts - 1, crashes = crashes + 1 WHERE id = ?",
                    id);
        }
        return freed;
    }

    private static List<Long> claimsOf(Connection connection, int dead) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement("SELECT m.id FROM acidq_message m WHERE m.owner = ?")) {
            Sql.bind(select, dead);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
            }
        }
        return ids;
    }
}
