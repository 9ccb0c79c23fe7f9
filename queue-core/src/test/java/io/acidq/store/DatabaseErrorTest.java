package io.acidq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.net.SocketException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DatabaseErrorTest {

    static Stream<Arguments> errors() {
        return Stream.of(
                // deadlock and lock timeout have the same state
                arguments(new SQLException("x", "40001", 1213), DatabaseError.ROLLED_BACK),
                arguments(new SQLException("x", "40001", 1205), DatabaseError.LOCK_TIMEOUT),
                arguments(new SQLTimeoutException("x", "70100", 1969), DatabaseError.LOCK_TIMEOUT),
                arguments(new SQLException("x", "08007"), DatabaseError.CONNECTION),
                arguments(new SQLNonTransientConnectionException("x"), DatabaseError.CONNECTION),
                // a member of a Galera cluster died, the driver moved to the next server of its URL, and the running
                // message became a dead letter
                arguments(
                        new SQLTransientConnectionException("transaction was lost", "25S03"), DatabaseError.CONNECTION),
                arguments(new SQLException("Not connected to Primary", "HY000", 1180), DatabaseError.UNAVAILABLE),
                // of MariaDB's driver, when it sets the timeout of a connection whose socket is closed
                arguments(new SQLException("x", "42000", -1, new SocketException("closed")), DatabaseError.CONNECTION),
                // MariaDB's driver throws this class for the SIGNAL of a trigger, and for any state that it does not
                // know: a business error would have been retried forever without counting attempts
                arguments(new SQLTransientConnectionException("by order", "45000", 1644), DatabaseError.REFUSED),
                arguments(new SQLTransientConnectionException("no such table", "42S02", 1146), DatabaseError.OTHER),
                // a pool that times out throws an error without a code, with the state of the server's last error:
                // messages that never ran became dead letters
                arguments(new SQLTransientConnectionException("timed out", "42000"), DatabaseError.CONNECTION),
                // the same with the code -1, which MariaDB's driver gives to errors of its own
                arguments(new SQLTransientConnectionException("timed out", "42000", -1), DatabaseError.CONNECTION),
                arguments(
                        new SQLException("too many connections of this user", "42000", 1226), DatabaseError.CONNECTION),
                arguments(new SQLException("locked", "HY000", 3118), DatabaseError.CONNECTION),
                arguments(new SQLException("too long", "22001", 1406), DatabaseError.REFUSED),
                arguments(new SQLException("SAVEPOINT a does not exist", "42000", 1305), DatabaseError.NO_SAVEPOINT),
                arguments(new SQLException("not granted", "42000", 1142), DatabaseError.OTHER),
                // a statement that is too large: MariaDB closes the connection after it. If its driver sees only that,
                // the error cannot be distinguished from a lost connection
                arguments(new SQLNonTransientConnectionException("x", "08S01", 1153), DatabaseError.REFUSED));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void classifiesAnErrorByCodeStateAndClass(SQLException error, DatabaseError expected) {
        assertThat(DatabaseError.of(error)).isEqualTo(expected);
    }

    @Test
    void findsAnErrorAmongTheCauses() {
        Throwable wrapped = new IllegalStateException(new RuntimeException(new SQLException("x", "23000", 1062)));
        assertThat(DatabaseError.of(wrapped)).isEqualTo(DatabaseError.DUPLICATE_KEY);
        assertThat(DatabaseError.DUPLICATE_KEY.isTransient()).isFalse();
    }

    @Test
    void returnsNullForAFailureWithoutADatabaseError() {
        Exception first = new Exception("one");
        first.initCause(new Exception("two", first)); // a cycle must not cause an endless loop
        assertThat(DatabaseError.of(first)).isNull();
        assertThat(DatabaseError.of(null)).isNull();
    }
}
