package io.acidq.benchmarks.candidate.acidq;

import io.acidq.EnqueueOptions;
import io.acidq.NewMessage;
import io.acidq.benchmarks.candidate.ManyRows;
import io.acidq.benchmarks.candidate.MessageRows;
import io.acidq.benchmarks.candidate.TableFill;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import javax.sql.DataSource;

/** What AcidQ's tables hold besides messages that may run, and which of those there are. */
final class FilledTables {

    private static final String UID = "UNHEX(LEFT(SHA2(CONCAT(UUID(), '-', n), 256), 32))";
    private static final String REST = "UTC_TIMESTAMP(6), 'string', '', 202, REPEAT('x', 202)";

    /** Payloads are JSON: the text begins after a quote. */
    private static final String ID = "SUBSTRING(payload, 2, 12)";

    private static final String WITHOUT_FILLING = " WHERE SUBSTRING(payload, 2, 1) <> 'x'";

    private final DataSource pool;

    FilledTables(DataSource pool) {
        this.pool = pool;
    }

    /** Due in a day, and of no interest. */
    List<NewMessage> scheduled(int count) {
        return Collections.nCopies(
                count, new NewMessage("x".repeat(200), EnqueueOptions.options().delay(Duration.ofDays(1))));
    }

    /** Of archived messages and dead letters; the scheduled ones have been enqueued. */
    void fillTables(String queue, TableFill tableFill) throws SQLException {
        String id = "(SELECT id FROM acidq_queue WHERE name = '" + queue + "')";
        try (Connection connection = pool.getConnection()) {
            ManyRows.insert(
                    connection,
                    "INSERT INTO acidq_archive (expires, uid, queue, lane, done_at, claim_no, attempts, crashes,"
                            + " enqueued_at, type, headers, size, payload)"
                            + " SELECT UTC_TIMESTAMP(6) + INTERVAL 30 DAY, " + UID + ", " + id
                            + ", n % 64, UTC_TIMESTAMP(6), 1, 1, 0, " + REST,
                    tableFill.archived());
            ManyRows.insert(
                    connection,
                    "INSERT INTO acidq_dead (died_at, preexec_time, uid, queue, lane, claim_no, attempts, crashes, mark,"
                            + " fingerprint, enqueued_at, type, headers, size, payload)"
                            + " SELECT UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), " + UID + ", " + id
                            + ", n % 64, 5, 5, 0, 'no such customer', UNHEX(LPAD(HEX(n % 10), 16, '0')), " + REST,
                    tableFill.dead());
        }
    }

    void forEachRemaining(LongConsumer letters) throws SQLException {
        MessageRows.read(
                pool, ID, "acidq_message" + WITHOUT_FILLING + " AND kind = 0", letters); // the others are markers
        for (String table : new String[] {"acidq_scheduled", "acidq_dead", "acidq_parked"}) {
            MessageRows.read(pool, ID, table + WITHOUT_FILLING, letters);
        }
    }

    /** How many messages each node has claimed at the moment, by its number. */
    Map<Integer, Long> claims() throws SQLException {
        Map<Integer, Long> claims = new HashMap<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT owner, COUNT(*) FROM acidq_message"
                        + " WHERE owner <> 0 AND kind = 0 GROUP BY owner")) {
            while (rows.next()) {
                claims.put(rows.getInt(1), rows.getLong(2));
            }
        }
        return claims;
    }
}
