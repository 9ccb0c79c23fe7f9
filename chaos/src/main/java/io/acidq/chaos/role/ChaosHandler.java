package io.acidq.chaos.role;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Outcome;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.mybatis.JdbcTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The handler: one row of effect, and a deed. */
public final class ChaosHandler implements Handler<ChaosMessage> {

    private static final int MEGABYTE = 1 << 20;
    private static final int DEADLOCKS = 3;
    private static final int DEADLOCK = 1213;
    private static final int DEADLOCK_ROW_WEIGHT = 20;

    private final JdbcTransactions transactions;
    private final Journal journal;

    public ChaosHandler(JdbcTransactions transactions, Journal journal) {
        this.transactions = transactions;
        this.journal = journal;
    }

    @Override
    public Outcome handle(ChaosMessage chaosMessage, Delivery delivery) throws Exception {
        journal.write(
                Phase.START,
                chaosMessage.key(),
                delivery.attempt(),
                delivery.crashes(),
                delivery.claimNo(),
                delivery.node(),
                delivery.id(),
                Journal.now());
        String how = Journal.THREW;
        try {
            Connection connection = transactions.connection();
            if (chaosMessage.action() == HandlerAction.DDL) {
                execute(connection, "CREATE TABLE IF NOT EXISTS chaos_ddl (id INT PRIMARY KEY)");
            }
            effect(chaosMessage, delivery, connection);
            after(chaosMessage, delivery, connection);
            how = Journal.DONE;
            return Outcome.done();
        } finally {
            journal.write(Phase.RETURNED, chaosMessage.key(), delivery.claimNo(), delivery.node(), Journal.now(), how);
        }
    }

    private static void effect(ChaosMessage chaosMessage, Delivery delivery, Connection connection)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(Tables.EFFECT)) {
            insert.setString(1, chaosMessage.key());
            insert.setString(2, chaosMessage.lane());
            insert.setLong(3, chaosMessage.seq());
            insert.setInt(4, delivery.node());
            insert.setInt(5, delivery.claimNo());
            insert.executeUpdate();
        }
    }

    private void after(ChaosMessage chaosMessage, Delivery delivery, Connection connection) throws Exception {
        switch (chaosMessage.action()) {
            case SWALLOW_DEADLOCK -> {
                if (delivery.claimNo()
                        <= DEADLOCKS) { // each gives the message back with its attempt: it would go on for ever
                    swallowADeadlock(connection, chaosMessage.key(), delivery);
                }
            }
            case SLOW -> Thread.sleep(300);
            case FAIL -> throw new IllegalStateException("this errand fails always");
            case FLAKY -> failOnce(delivery);
            case COMMIT -> connection.commit();
            case ENDLESS -> new CountDownLatch(1).await();
            case GREEDY -> eatAll();
            case HALT -> Runtime.getRuntime().halt(137);
            case HALT_ONCE -> haltOnce(delivery);
            default -> {}
        }
    }

    private static void failOnce(Delivery delivery) {
        if (delivery.attempt() == 1) {
            throw new IllegalStateException("this errand fails once");
        }
    }

    private static void haltOnce(Delivery delivery) {
        if (delivery.crashes() == 0) {
            Runtime.getRuntime().halt(137);
        }
    }

    private static void eatAll() {
        List<byte[]> eaten = new ArrayList<>();
        while (!eaten.isEmpty() || MEGABYTE > 0) {
            eaten.add(new byte[MEGABYTE]);
        }
    }

    /**
     * Two transactions that take two rows in opposite order; this one is chosen, and goes on as if nothing had been. Each message has a pair of
     * its own: between three of them, some of whom wait for a latch, the server could see no deadlock.
     */
    private void swallowADeadlock(Connection connection, String key, Delivery delivery) throws Exception {
        int pair = Tables.pair(key);
        CountDownLatch hasFirst = new CountDownLatch(1);
        CountDownLatch hasSecond = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                transactions.run(() -> {
                    for (int i = 0; i < DEADLOCK_ROW_WEIGHT; i++) { // the server chooses the one that has changed less
                        execute(transactions.connection(), Tables.lockRow(pair, 2));
                    }
                    hasSecond.countDown();
                    hasFirst.await();
                    execute(transactions.connection(), Tables.lockRow(pair, 1));
                });
            } catch (Exception e) { // it may be the one that is chosen all the same
            } finally {
                hasSecond.countDown();
            }
        });
        other.setName(ThreadLeaks.OF_AN_ACTION);
        other.start();
        try {
            execute(connection, Tables.lockRow(pair, 1));
            hasFirst.countDown();
            hasSecond.await();
            execute(connection, Tables.lockRow(pair, 2));
        } catch (SQLException e) {
            if (e.getErrorCode() == DEADLOCK) {
                journal.write(Phase.SWALLOWED, key, delivery.claimNo(), delivery.node());
            } // no other error either goes further: that is the deed
        } finally {
            hasFirst.countDown();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
