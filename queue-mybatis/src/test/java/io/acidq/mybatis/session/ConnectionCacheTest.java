package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.mybatis.session.ConnectionCache.Use;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionCacheTest {

    private static final long QUICKLY = Duration.ofMillis(1).toNanos();
    private static final long SLOWLY = Duration.ofMillis(100).toNanos();

    private final JdbcDataSource dataSource = new JdbcDataSource();
    private final MyBatisSessions sessions = new MyBatisSessions(dataSource, List.of("Session.xml"));
    private final List<Connection> opened = new ArrayList<>();
    private long now = System.nanoTime();
    private final ConnectionCache cache = new ConnectionCache(sessions, () -> now, false);

    @BeforeEach
    void create() {
        dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + "");
        cache.open();
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : opened) {
            connection.close();
        }
    }

    @Test
    void keepsAsManyForClaimsAsAreInUseAtOnceForAMomentAndThenAFew() throws SQLException {
        cache.recordPoolTime(QUICKLY);

        assertThat(keep(10, Use.CLAIMS)).containsOnly(true).hasSize(10);
        cache.releaseIdle();
        assertThat(open()).as("in use a moment ago").isEqualTo(10);

        pass(Duration.ofMillis(60));
        for (long left : List.of(8L, 6L, 4L, 4L)) {
            cache.releaseIdle();
            assertThat(open()).as("at most two are given back by one call").isEqualTo(left);
        }
        cache.close();
        assertThat(open()).isZero();
    }

    /** A bug: connections were kept until the next claim, and for seconds the workers of a small pool had none. */
    @Test
    void knowsWhenTheNextConnectionsMustBeReturned() throws SQLException {
        keep(9, Use.CLAIMS);
        assertThat(cache.nanosUntilRelease()).isEqualTo(Duration.ofMillis(50).toNanos());

        pass(Duration.ofMillis(50));
        for (long left : List.of(7L, 5L, 4L)) {
            assertThat(cache.nanosUntilRelease()).isZero();
            cache.releaseIdle();
            assertThat(open()).isEqualTo(left);
        }
        assertThat(cache.nanosUntilRelease()).isEqualTo(Duration.ofMillis(250).toNanos());
        pass(Duration.ofMillis(250));
        cache.releaseIdle();
        assertThat(open()).isZero();
        assertThat(cache.nanosUntilRelease()).isEqualTo(ConnectionCache.NEVER);
    }

    @Test
    void leavesTheLastOneForReadsToTheNextCall() throws SQLException {
        keep(2, Use.READS);
        assertThat(cache.nanosUntilRelease()).isEqualTo(Duration.ofMillis(300).toNanos());

        pass(Duration.ofMillis(300));
        cache.releaseIdle();

        assertThat(open()).isEqualTo(1);
        assertThat(cache.nanosUntilRelease()).isEqualTo(ConnectionCache.NEVER);
    }

    @Test
    void keepsAFewForWhatOthersDo() throws SQLException {
        assertThat(keep(3, Use.READS)).containsOnly(true);
        assertThat(keep(1, Use.TRANSACTIONS)).as("with three others").containsExactly(false);
        assertThat(keep(2, Use.CLAIMS)).containsExactly(true, true);
    }

    /** Each kind of use kept connections beside those of the others, and a pool needed eleven that did nothing. */
    @Test
    void returnsAnIdleConnectionOfAnotherUseBeforeItTakesOneTooMany() throws SQLException {
        keep(3, Use.READS);

        CachedConnection claiming = cache.borrow("claim", Use.CLAIMS);
        opened.add(claiming.connection());
        assertThat(open()).as("one for claims, and three").isEqualTo(3);

        assertThat(cache.keep(claiming, Use.CLAIMS)).isTrue();
        cache.endUse(Use.CLAIMS);
        assertThat(open()).isEqualTo(3);
    }

    @Test
    void letsOneTaskAfterTheOtherUseAConnection() throws Exception {
        CountDownLatch began = new CountDownLatch(1);
        assertThat(cache.awaitTurn()).isTrue();
        FutureTask<Boolean> second = new FutureTask<>(() -> {
            began.countDown();
            return cache.awaitTurn();
        });
        Thread thread = new Thread(second);
        thread.start();
        began.await();
        assertThat(second.isDone()).isFalse();
        cache.endTurn();
        assertThat(second.get()).isTrue();
        cache.endTurn();
    }

    @Test
    void returnsIdleConnectionsAndTheLastOneForReadsMuchLater() throws SQLException {
        keep(1, Use.CLAIMS);
        keep(2, Use.READS);
        keep(1, Use.WAITS);

        pass(Duration.ofMillis(200));
        cache.releaseIdle();
        assertThat(open()).isEqualTo(4);
        pass(Duration.ofMillis(200));
        cache.releaseIdle();
        assertThat(open()).isEqualTo(1);
        pass(Duration.ofSeconds(8));
        cache.releaseIdle();
        assertThat(open()).isEqualTo(1);
        assertThat(taken(Use.READS)).isSameAs(opened.get(2));
    }

    @Test
    void returnsTheLastOneForReadsInTheEnd() throws SQLException {
        keep(1, Use.READS);

        pass(Duration.ofSeconds(13));
        cache.releaseIdle();

        assertThat(open()).isZero();
    }

    @Test
    void keepsNoneForLongHoweverBusyItIs() throws SQLException {
        keep(1, Use.TRANSACTIONS);
        CachedConnection busy = Objects.requireNonNull(cache.take(Use.TRANSACTIONS));

        pass(Duration.ofSeconds(9));
        assertThat(cache.keep(busy, Use.TRANSACTIONS)).isTrue();
        assertThat(cache.take(Use.TRANSACTIONS)).isSameAs(busy);
        pass(Duration.ofSeconds(12));
        assertThat(cache.keep(busy, Use.TRANSACTIONS)).isFalse();
    }

    @Test
    void takesTheOneUsedLastAndOnlyForWhatItWasKeptFor() throws SQLException {
        keep(2, Use.READS);

        assertThat(cache.take(Use.CLAIMS)).isNull();
        assertThat(cache.take(Use.WAITS)).isNull();
        assertThat(taken(Use.READS)).isSameAs(opened.get(1));
        assertThat(taken(Use.READS)).isSameAs(opened.get(0));
        assertThat(cache.take(Use.READS)).isNull();
        keep(1, Use.CLAIMS);
        assertThat(taken(Use.TRANSACTIONS))
                .as("a claim is one of the transactions")
                .isSameAs(opened.get(2));
    }

    @Test
    void keepsOnlyAFewIfThePoolIsSlow() throws SQLException {
        keep(6, Use.CLAIMS);
        cache.recordPoolTime(SLOWLY);

        assertThat(keep(1, Use.CLAIMS)).containsOnly(false);
        pass(Duration.ofMillis(1));
        cache.releaseIdle();

        assertThat(open()).isEqualTo(4);
        IntStream.range(0, 100).forEach(i -> cache.recordPoolTime(QUICKLY));
        assertThat(keep(1, Use.CLAIMS)).containsOnly(true);
    }

    @Test
    void keepsNoneAfterItsEnd() throws SQLException {
        keep(1, Use.TRANSACTIONS);
        keep(1, Use.READS);
        cache.closeAllButTransactions();
        assertThat(open()).isEqualTo(1);

        assertThat(keep(1, Use.TRANSACTIONS)).containsOnly(false);
        cache.close();

        assertThat(open()).isZero();
    }

    /** A bug: the executor had terminated, but its thread sometimes survived the stop of the application. */
    @Test
    void leavesNoThreadAfterItsEnd() throws SQLException {
        Connection connection = dataSource.getConnection();
        opened.add(connection);
        Set<Thread> ofOthers = threads();
        for (int i = 0; i < 2_000; i++) {
            ConnectionCache withThread = new ConnectionCache(sessions, System::nanoTime, true);
            withThread.open();
            assertThat(withThread.keep(CachedConnection.forStore(connection, sessions, false), Use.TRANSACTIONS))
                    .isTrue();
            assertThat(withThread.take(Use.TRANSACTIONS)).isNotNull();

            withThread.close();

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
        CachedConnection own = cache.take(use);
        return own == null ? null : own.connection();
    }

    private List<Boolean> keep(int number, Use use) throws SQLException {
        List<CachedConnection> used = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Connection connection = dataSource.getConnection();
            opened.add(connection);
            used.add(CachedConnection.forStore(connection, sessions, use.isForReads()));
            cache.beginUse(use);
        }
        return IntStream.range(0, number)
                .mapToObj(i -> {
                    boolean kept = cache.keep(used.get(i), use);
                    if (!kept) {
                        ConnectionCache.returnToPool(used.get(i));
                    }
                    cache.endUse(use);
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
