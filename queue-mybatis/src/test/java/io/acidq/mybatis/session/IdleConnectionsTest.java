package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.session.IdleConnections.Use;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {

    private static final long QUICKLY = Duration.ofMillis(1).toNanos();
    private static final long SLOWLY = Duration.ofMillis(100).toNanos();

    private final JdbcDataSource dataSource = new JdbcDataSource();
    private final Sessions sessions = new Sessions(dataSource, List.of("Session.xml"));
    private final List<Connection> opened = new ArrayList<>();
    private long now = System.nanoTime();
    private final IdleConnections idle = new IdleConnections(() -> now, false);

    @BeforeEach
    void create() {
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=MySQL");
        idle.open();
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
    }

    @Test
    void keepsAsManyForClaimsAsAreInUseAtOnceForAMomentAndThenAFew() throws SQLException {
        idle.poolTook(QUICKLY);

        assertThat(keep(10, Use.CLAIMS)).containsOnly(true).hasSize(10);
        idle.release();
        assertThat(open()).as("in use a moment ago").isEqualTo(10);

        pass(Duration.ofMillis(60));
        for (long left : List.of(8L, 6L, 4L, 4L)) {
            idle.release();
            assertThat(open()).as("at most two are given back by one call").isEqualTo(left);
        }
        idle.close();
        assertThat(open()).isZero();
    }

    /** They were kept until somebody claimed again: for seconds the workers of a small pool had none. */
    @Test
    void knowsWhenTheNextOnesAreToBeGivenBack() throws SQLException {
        keep(9, Use.CLAIMS);
        assertThat(idle.untilDue()).isEqualTo(Duration.ofMillis(50).toNanos());

        pass(Duration.ofMillis(50));
        for (long left : List.of(7L, 5L, 4L)) {
            assertThat(idle.untilDue()).isZero();
            idle.release();
            assertThat(open()).isEqualTo(left);
        }
        assertThat(idle.untilDue()).isEqualTo(Duration.ofMillis(250).toNanos());
        pass(Duration.ofMillis(250));
        idle.release();
        assertThat(open()).isZero();
        assertThat(idle.untilDue()).isEqualTo(IdleConnections.NOTHING);
    }

    @Test
    void leavesTheLastOneForReadsToTheNextLook() throws SQLException {
        keep(2, Use.READS);
        assertThat(idle.untilDue()).isEqualTo(Duration.ofMillis(300).toNanos());

        pass(Duration.ofMillis(300));
        idle.release();

        assertThat(open()).isEqualTo(1);
        assertThat(idle.untilDue()).isEqualTo(IdleConnections.NOTHING);
    }

    @Test
    void keepsAFewForWhatOthersDo() throws SQLException {
        assertThat(keep(3, Use.READS)).containsOnly(true);
        assertThat(keep(2, Use.TRANSACTIONS)).containsExactly(true, false);
        assertThat(keep(2, Use.CLAIMS)).containsExactly(true, true);
    }

    @Test
    void givesBackWhatIsNotUsedForAWhileAndTheLastOneForReadsMuchLater() throws SQLException {
        keep(1, Use.TRANSACTIONS);
        keep(2, Use.READS);
        keep(1, Use.WAITS);

        pass(Duration.ofMillis(200));
        idle.release();
        assertThat(open()).isEqualTo(4);
        pass(Duration.ofMillis(200));
        idle.release();
        assertThat(open()).isEqualTo(1);
        pass(Duration.ofSeconds(8));
        idle.release();
        assertThat(open()).isEqualTo(1);
        assertThat(taken(Use.READS)).isSameAs(opened.get(2));
    }

    @Test
    void givesTheLastOneForReadsBackInTheEnd() throws SQLException {
        keep(1, Use.READS);

        pass(Duration.ofSeconds(13));
        idle.release();

        assertThat(open()).isZero();
    }

    @Test
    void keepsNoneForLongHoweverBusyItIs() throws SQLException {
        keep(1, Use.TRANSACTIONS);
        OwnConnection busy = Objects.requireNonNull(idle.take(Use.TRANSACTIONS));

        pass(Duration.ofSeconds(9));
        assertThat(idle.keep(busy, Use.TRANSACTIONS)).isTrue();
        assertThat(idle.take(Use.TRANSACTIONS)).isSameAs(busy);
        pass(Duration.ofSeconds(12));
        assertThat(idle.keep(busy, Use.TRANSACTIONS)).isFalse();
    }

    @Test
    void takesTheOneUsedLastAndOnlyForWhatItWasKeptFor() throws SQLException {
        keep(2, Use.READS);

        assertThat(idle.take(Use.CLAIMS)).isNull();
        assertThat(idle.take(Use.WAITS)).isNull();
        assertThat(taken(Use.READS)).isSameAs(opened.get(1));
        assertThat(taken(Use.READS)).isSameAs(opened.get(0));
        assertThat(idle.take(Use.READS)).isNull();
        keep(1, Use.CLAIMS);
        assertThat(taken(Use.TRANSACTIONS))
                .as("a claim is one of the transactions")
                .isSameAs(opened.get(2));
    }

    @Test
    void keepsOnlyAFewWhereThePoolMakesItselfAwaited() throws SQLException {
        keep(6, Use.CLAIMS);
        idle.poolTook(SLOWLY);

        assertThat(keep(1, Use.CLAIMS)).containsOnly(false);
        pass(Duration.ofMillis(1));
        idle.release();

        assertThat(open()).isEqualTo(4);
        IntStream.range(0, 100).forEach(i -> idle.poolTook(QUICKLY));
        assertThat(keep(1, Use.CLAIMS)).containsOnly(true);
    }

    @Test
    void keepsNoneAfterItsEnd() throws SQLException {
        keep(1, Use.TRANSACTIONS);
        keep(1, Use.READS);
        idle.closeBut(Use.TRANSACTIONS);
        assertThat(open()).isEqualTo(1);

        assertThat(keep(1, Use.TRANSACTIONS)).containsOnly(false);
        idle.close();

        assertThat(open()).isZero();
    }

    /** Its executor had terminated, and now and then its thread was still there: a thread that outlives the stop of an application. */
    @Test
    void leavesNoThreadAfterItsEnd() throws SQLException {
        Connection connection = dataSource.getConnection();
        opened.add(connection);
        Set<Thread> ofOthers = threads();
        for (int i = 0; i < 2_000; i++) {
            IdleConnections tidied = new IdleConnections(System::nanoTime, true);
            tidied.open();
            assertThat(tidied.keep(OwnConnection.prepare(connection, sessions, false), Use.TRANSACTIONS))
                    .isTrue();
            assertThat(tidied.take(Use.TRANSACTIONS)).isNotNull();

            tidied.close();

            assertThat(threads()).as("in round " + i).isSubsetOf(ofOthers);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.isAlive() && thread.getName().equals("acidq-connections"))
                .collect(Collectors.toSet());
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private @Nullable Connection taken(Use use) {
        OwnConnection own = idle.take(use);
        return own == null ? null : own.connection();
    }

    private List<Boolean> keep(int number, Use use) throws SQLException {
        List<OwnConnection> used = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Connection connection = dataSource.getConnection();
            opened.add(connection);
            used.add(OwnConnection.prepare(connection, sessions, use == Use.READS || use == Use.WAITS));
        }
        return IntStream.range(0, number)
                .mapToObj(i -> {
                    boolean kept = idle.keep(used.get(i), use);
                    if (!kept) {
                        used.get(i).giveBack();
                    }
                    return kept;
                })
                .toList();
    }

    private long open() throws SQLException {
        int open = 0;
        for (Connection connection : opened) {
            open += connection.isClosed() ? 0 : 1;
        }
        return open;
    }
}
