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
import org.jspecify.annotations.Nullable;

/** Inserts one effect and performs the action of the message. */
public final class ChaosHandler implements Handler<ChaosMessage> {

    private static final int MEGABYTE = 1 << 20;
    private static final int DEADLOCKS = 3;
    private static final int DEADLOCK = 1213;
    private static final int DEADLOCK_ROW_WEIGHT = 20;

    private final JdbcTransactions transactions;
    private final Journal journal;
    private final @Nullable ChaosSubscription subscription;

    /** The handler of the queue without topic. */
    public ChaosHandler(JdbcTransactions transactions, Journal journal) {
        this(transactions, journal, null);
    }

    ChaosHandler(JdbcTransactions transactions, Journal journal, @Nullable ChaosSubscription subscription) {
        this.transactions = transactions;
        this.journal = journal;
        this.subscription = subscription;
    }

    @Override
    public Outcome handle(ChaosMessage received, Delivery delivery) throws Exception {
        ChaosMessage message = subscription == null ? received : subscription.copy(received);
        journal.write(
                Phase.START,
                message.key(),
                delivery.attempt(),
                delivery.crashes(),
                delivery.claimNo(),
                delivery.node(),
                delivery.id(),
                Journal.now());
        String result = Journal.THREW;
        try {
            Connection connection = transactions.connection();
            if (message.action() == HandlerAction.DDL) {
                execute(connection, "CREATE TABLE IF NOT EXISTS chaos_ddl (id INT PRIMARY KEY)");
            }
            effect(message, delivery, connection);
            after(message, delivery, connection);
            result = Journal.DONE;
            return Outcome.done(delivery.claimNo());
        } finally {
            journal.write(Phase.RETURNED, message.key(), delivery.claimNo(), delivery.node(), Journal.now(), result);
        }
    }

    private static void effect(ChaosMessage message, Delivery delivery, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(ChaosTables.EFFECT)) {
            insert.setString(1, message.key());
            insert.setString(2, message.lane());
            insert.setLong(3, message.seq());
            insert.setInt(4, delivery.node());
            insert.setInt(5, delivery.claimNo());
            insert.executeUpdate();
        }
    }

    private void after(ChaosMessage message, Delivery delivery, Connection connection) throws Exception {
        switch (message.action()) {
            case SWALLOW_DEADLOCK -> {
                if (delivery.claimNo()
                        <= DEADLOCKS) { // a requeue does not count as an attempt, so this would never end
                    swallowADeadlock(connection, message.key(), delivery);
                }
            }
            case SLOW -> Thread.sleep(300);
            case FAIL -> throw new IllegalStateException("this message always fails");
            case FLAKY -> failOnce(delivery);
            case COMMIT -> connection.commit();
            case ENDLESS -> new CountDownLatch(1).await();
            case GREEDY -> allocateAll();
            case HALT -> Runtime.getRuntime().halt(137);
            case HALT_ONCE -> haltOnce(delivery);
            default -> {}
        }
    }

    private static void failOnce(Delivery delivery) {
        if (delivery.attempt() == 1) {
            throw new IllegalStateException("this message fails once");
        }
    }

    private static void haltOnce(Delivery delivery) {
        if (delivery.crashes() == 0) {
            Runtime.getRuntime().halt(137);
        }
    }

    private static void allocateAll() {
        List<byte[]> allocated = new ArrayList<>();
        while (!allocated.isEmpty() || MEGABYTE > 0) {
            allocated.add(new byte[MEGABYTE]);
        }
    }

    /**
     * Locks two rows in the opposite order of another transaction. The server rolls this transaction back, and the handler ignores the error. Each
     * message has its own pair of rows, because the server cannot detect a deadlock of three transactions if one of them waits for a latch.
     */
    private void swallowADeadlock(Connection connection, String key, Delivery delivery) throws Exception {
        int pair = ChaosTables.pair(key);
        CountDownLatch hasFirst = new CountDownLatch(1);
        CountDownLatch hasSecond = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            try {
                transactions.run(() -> {
                    for (int i = 0;
                            i < DEADLOCK_ROW_WEIGHT;
                            i++) { // the server rolls back the transaction with fewer changes
                        execute(transactions.connection(), ChaosTables.lockRow(pair, 2));
                    }
                    hasSecond.countDown();
                    hasFirst.await();
                    execute(transactions.connection(), ChaosTables.lockRow(pair, 1));
                });
            } catch (Exception e) { // the server may still choose this transaction
            } finally {
                hasSecond.countDown();
            }
        });
        other.setName(ThreadLeaks.ACTION_THREAD);
        other.start();
        try {
            execute(connection, ChaosTables.lockRow(pair, 1));
            hasFirst.countDown();
            hasSecond.await();
            execute(connection, ChaosTables.lockRow(pair, 2));
        } catch (SQLException e) {
            if (e.getErrorCode() == DEADLOCK) {
                journal.write(Phase.SWALLOWED, key, delivery.claimNo(), delivery.node());
            } // the action swallows every error
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
