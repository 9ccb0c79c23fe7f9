package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Outcome;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stays on the thread and the connection of a handler, because AcidQ does not see it: docs/en/listeners.md names it. */
class HandlerRemainsIT extends SharedEngineTests {

    private static final int MESSAGES = 30;
    private static final ThreadLocal<String> THREAD_LOCAL = ThreadLocal.withInitial(() -> "0");

    enum Remains {
        USER_VARIABLE("SET @mark = 1", "SELECT @mark"),
        PREPARED_STATEMENT("PREPARE mark FROM 'SELECT 1'", "EXECUTE mark"),
        PREPARED_CHANGE_OF_A_SETTING(
                "PREPARE mark FROM 'SET SESSION group_concat_max_len = 99'; EXECUTE mark".split(";"),
                "SELECT @@SESSION.group_concat_max_len = 99"),
        SETTING_OF_A_PROCEDURE("CALL leave_a_mark()", "SELECT @@SESSION.group_concat_max_len = 99"),
        LAST_INSERT_ID("SELECT LAST_INSERT_ID(4711)", "SELECT LAST_INSERT_ID() = 4711");

        private final String[] leave;
        private final String find;

        Remains(String leave, String find) {
            this(new String[] {leave}, find);
        }

        Remains(String[] leave, String find) {
            this.leave = leave;
            this.find = find;
        }
    }

    /** Most of the messages run on the connection of the message before. */
    @ParameterizedTest
    @EnumSource(Remains.class)
    void passesWhatTheSessionKeepsToTheNextHandler(Remains remains) throws Exception {
        sql("DROP PROCEDURE IF EXISTS leave_a_mark");
        sql("CREATE PROCEDURE leave_a_mark() SET SESSION group_concat_max_len = 99");
        Queue<String> found = new ConcurrentLinkedQueue<>();
        place("remains", 1, MESSAGES);
        listen(on("remains", (step, delivery) -> {
                    Connection connection = transactions.connection();
                    found.add(first(connection, remains.find));
                    for (String statement : remains.leave) {
                        first(connection, statement);
                    }
                    return Outcome.done();
                })
                .withConcurrency(1));
        awaitDrained();

        assertThat(found).hasSize(MESSAGES).contains("1");
    }

    @Test
    void passesAThreadLocalToTheNextHandler() throws Exception {
        Queue<String> found = new ConcurrentLinkedQueue<>();
        place("remains", 1, MESSAGES);
        listen(on("remains", (step, delivery) -> {
                    found.add(THREAD_LOCAL.get());
                    THREAD_LOCAL.set("1");
                    return Outcome.done();
                })
                .withConcurrency(1));
        awaitDrained();

        assertThat(found).hasSize(MESSAGES).contains("1");
    }

    @Test
    void keepsWhatAHandlerThatFailedHasWrittenOnAConnectionOfItsOwn() throws Exception {
        place("remains", 1, 1);
        listen(on("remains", (step, delivery) -> {
                    sql("INSERT INTO effect (k, seq, tag) VALUES ('own', 1, 0)");
                    throw new IllegalStateException("failed");
                })
                .withRetry(ONE_ATTEMPT));
        awaitDrained();

        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void keepsWhatAHandlerThatFailedHasWrittenBeforeACommitInAProcedure() throws Exception {
        sql("DROP PROCEDURE IF EXISTS commit_too_early");
        sql("CREATE PROCEDURE commit_too_early() COMMIT");
        place("remains", 1, 1);
        listen(on("remains", (step, delivery) -> {
                    insertEffect(step, delivery.attempt());
                    first(transactions.connection(), "CALL commit_too_early()");
                    throw new IllegalStateException("failed");
                })
                .withRetry(ONE_ATTEMPT));
        awaitDrained();

        assertThat(effects()).isEqualTo(1);
    }

    private static String first(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return String.valueOf(row.getString(1));
            }
        } catch (SQLException absent) {
            return "absent";
        }
    }
}
