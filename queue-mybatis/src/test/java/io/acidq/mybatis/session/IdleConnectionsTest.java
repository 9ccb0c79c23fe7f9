package io.acidq.mybatis.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.mybatis.session.IdleConnections.Use;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
    private final IdleConnections idle = new IdleConnections();

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
        assertThat(open()).as("at most two are given back by one call").isBetween(8L, 10L);

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            idle.release();
            return open() == 4;
        });
        idle.close();
        assertThat(open()).isZero();
    }

    @Test
    void keepsAFewForWhatOthersDo() throws SQLException {
        assertThat(keep(3, Use.READS)).containsOnly(true);
        assertThat(keep(2, Use.TRANSACTIONS)).containsExactly(true, false);
        assertThat(keep(2, Use.CLAIMS)).containsExactly(true, true);
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
