package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Outcome;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handler leaves on its thread and its connection does not reach the next handler of the same worker. */
class HandlerCleanupIT extends SharedEngineTests {

    private static final String LOCK = "'handler mark'";

    enum Mark {
        INTERRUPT {
            @Override
            void leave(Connection connection) {
                Thread.currentThread().interrupt();
            }

            @Override
            boolean isThere(Connection connection) {
                return Thread.currentThread().isInterrupted();
            }
        },
        CONTEXT_CLASS_LOADER {
            @Override
            void leave(Connection connection) {
                Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0]));
            }

            @Override
            boolean isThere(Connection connection) {
                return Thread.currentThread().getContextClassLoader() instanceof URLClassLoader;
            }
        },
        NAME_AND_PRIORITY {
            @Override
            void leave(Connection connection) {
                Thread.currentThread().setName("mark");
                Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
            }

            @Override
            boolean isThere(Connection connection) {
                return Thread.currentThread().getName().equals("mark")
                        || Thread.currentThread().getPriority() == Thread.MIN_PRIORITY;
            }
        },
        UNCAUGHT_EXCEPTION_HANDLER {
            private final Thread.UncaughtExceptionHandler handler = (thread, thrown) -> {};

            @Override
            void leave(Connection connection) {
                Thread.currentThread().setUncaughtExceptionHandler(handler);
            }

            @Override
            boolean isThere(Connection connection) {
                return Thread.currentThread().getUncaughtExceptionHandler() == handler;
            }
        },
        SESSION_VARIABLE_BEHIND_A_USER_VARIABLE {
            @Override
            void leave(Connection connection) throws SQLException {
                execute(connection, "SET @a = 1, SESSION group_concat_max_len = 99");
            }

            @Override
            boolean isThere(Connection connection) throws SQLException {
                return first(connection, "SELECT @@SESSION.group_concat_max_len")
                        .equals("99");
            }
        },
        OPEN_TABLE_HANDLER {
            @Override
            void leave(Connection connection) throws SQLException {
                execute(connection, "HANDLER effect OPEN AS mark");
            }

            @Override
            boolean isThere(Connection connection) {
                try {
                    execute(connection, "HANDLER mark CLOSE");
                    return true;
                } catch (SQLException absent) {
                    return false;
                }
            }
        },
        USER_LEVEL_LOCK {
            @Override
            void leave(Connection connection) throws SQLException {
                first(connection, "SELECT GET_LOCK(" + LOCK + ", 10)");
            }

            @Override
            boolean isThere(Connection connection) throws SQLException {
                return first(connection, "SELECT IS_USED_LOCK(" + LOCK + ") <=> CONNECTION_ID()")
                        .equals("1");
            }
        },
        TEMPORARY_TABLE {
            @Override
            void leave(Connection connection) throws SQLException {
                execute(connection, "CREATE TEMPORARY TABLE mark (id INT)");
            }

            @Override
            boolean isThere(Connection connection) {
                try {
                    return first(connection, "SELECT COUNT(*) FROM mark").equals("0");
                } catch (SQLException absent) {
                    return false;
                }
            }
        },
        SAVEPOINT {
            @Override
            void leave(Connection connection) throws SQLException {
                connection.setSavepoint("mark");
            }

            @Override
            boolean isThere(Connection connection) {
                try {
                    execute(connection, "ROLLBACK TO SAVEPOINT mark");
                    return true;
                } catch (SQLException absent) {
                    return false;
                }
            }
        },
        /** With Connector/J nothing else can use the connection until the result set is closed. */
        STREAMED_RESULT_SET {
            @Override
            void leave(Connection connection) throws SQLException {
                Statement statement = connection.createStatement();
                statement.setFetchSize(
                        connection.getMetaData().getDriverName().startsWith("MySQL") ? Integer.MIN_VALUE : 1);
                ResultSet rows = statement.executeQuery("SELECT table_name FROM information_schema.tables");
                rows.next();
            }

            @Override
            boolean isThere(Connection connection) {
                return false; // the next statement would fail
            }
        };

        abstract void leave(Connection connection) throws SQLException;

        abstract boolean isThere(Connection connection) throws SQLException;

        static void execute(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }

        static String first(Connection connection, String query) throws SQLException {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                row.next();
                return row.getString(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Mark.class)
    void doesNotPassAMarkOfOneHandlerToTheNext(Mark mark) throws Exception {
        Queue<Long> met = new ConcurrentLinkedQueue<>();
        place("marks", 1, 4);
        listen(on("marks", (step, delivery) -> {
                    if (mark.isThere(transactions.connection())) {
                        met.add(step.seq());
                    }
                    insertEffect(step, delivery.attempt());
                    mark.leave(transactions.connection());
                    return Outcome.done();
                })
                .withRetry(ONE_ATTEMPT)
                .withConcurrency(1));
        awaitDrained();

        assertThat(met).as("messages whose handler met a mark").isEmpty();
        assertThat(effects()).isEqualTo(4);
        assertThat(count("SELECT GET_LOCK(" + LOCK + ", 30) + RELEASE_LOCK(" + LOCK + ")"))
                .as("the lock was free")
                .isEqualTo(2);
    }
}
