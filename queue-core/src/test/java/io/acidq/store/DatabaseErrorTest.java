package io.acidq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;

class DatabaseErrorTest {

    @Test
    void tellsDeadlockFromLockWaitByTheVendorCodeNotTheState() {
        assertThat(DatabaseError.of(new SQLException("x", "40001", 1213))).isEqualTo(DatabaseError.ROLLED_BACK);
        assertThat(DatabaseError.of(new SQLException("x", "40001", 1205))).isEqualTo(DatabaseError.LOCK_TIMEOUT);
    }

    @Test
    void knowsALostConnectionByItsStateWhenThereIsNoCode() {
        assertThat(DatabaseError.of(new SQLException("x", "08007"))).isEqualTo(DatabaseError.CONNECTION);
        assertThat(DatabaseError.of(new SQLNonTransientConnectionException("x")))
                .isEqualTo(DatabaseError.CONNECTION);
    }

    /** A member of a Galera cluster died: the driver went to the next one of its URL, and what had run made a dead letter. */
    @Test
    void knowsATransactionThatWasLostWhenTheDriverMovedToAnotherServer() {
        assertThat(DatabaseError.of(new SQLTransientConnectionException("In progress transaction was lost", "25S03")))
                .isEqualTo(DatabaseError.CONNECTION);
        assertThat(DatabaseError.of(new SQLException("Not connected to Primary Component", "HY000", 1180)))
                .isEqualTo(DatabaseError.UNAVAILABLE);
    }

    /** MariaDB's driver gives this state to a connection whose socket is closed when its timeout is set. */
    @Test
    void knowsALostConnectionByItsSocket() {
        assertThat(DatabaseError.of(new SQLException(
                        "Cannot set the network timeout", "42000", -1, new SocketException("Socket is closed"))))
                .isEqualTo(DatabaseError.CONNECTION);
    }

    /** A trigger's SIGNAL came as this class from MariaDB's driver: a business error would have been retried for ever without counting. */
    @Test
    void doesNotTakeAnErrorForALostConnectionByItsClassWhenItHasAState() {
        assertThat(DatabaseError.of(new SQLTransientConnectionException("by order", "45000", 1644)))
                .isEqualTo(DatabaseError.REFUSED);
        assertThat(DatabaseError.of(new SQLTransientConnectionException("no such table", "42S02", 1146)))
                .isEqualTo(DatabaseError.OTHER);
    }

    /** A pool gives up with the state of the server's last refusal, and no code: messages that never ran became dead letters. */
    @Test
    void knowsAPoolThatCouldNotConnectWhateverStateItPassesOn() {
        assertThat(DatabaseError.of(new SQLTransientConnectionException("request timed out", "42000")))
                .isEqualTo(DatabaseError.CONNECTION);
        assertThat(DatabaseError.of(new SQLException("too many connections of this user", "42000", 1226)))
                .isEqualTo(DatabaseError.CONNECTION);
        assertThat(DatabaseError.of(new SQLException("locked", "HY000", 3118))).isEqualTo(DatabaseError.CONNECTION);
    }

    @Test
    void knowsAValueThatIsRefused() {
        assertThat(DatabaseError.of(new SQLException("too long", "22001", 1406)))
                .isEqualTo(DatabaseError.REFUSED);
        assertThat(DatabaseError.of(new SQLException("not granted", "42000", 1142)))
                .isEqualTo(DatabaseError.OTHER);
    }

    /** MariaDB closes the connection over it, and would again. Often its driver sees no more than that: then nothing tells it from a loss. */
    @Test
    void doesNotTakeAStatementThatIsTooLargeForALostConnection() {
        assertThat(DatabaseError.of(new SQLNonTransientConnectionException("x", "08S01", 1153)))
                .isEqualTo(DatabaseError.REFUSED);
    }

    @Test
    void looksThroughTheCauses() {
        Throwable wrapped = new IllegalStateException(new RuntimeException(new SQLException("x", "23000", 1062)));
        assertThat(DatabaseError.of(wrapped)).isEqualTo(DatabaseError.DUPLICATE_KEY);
        assertThat(DatabaseError.of(wrapped)).matches(e -> e != null && !e.isTransient());
    }

    @Test
    void isNothingWhenNoDatabaseIsInvolved() {
        Exception first = new Exception("one");
        first.initCause(new Exception("two", first)); // a circle must not hang it
        assertThat(DatabaseError.of(first)).isNull();
        assertThat(DatabaseError.of(null)).isNull();
    }
}
