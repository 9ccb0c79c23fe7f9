package io.acidq.chaos.broken;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.EnqueueOptions;
import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.ChaosTables;
import io.acidq.chaos.role.Journal;
import io.acidq.chaos.role.Journal.Phase;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Sends messages, each with a business row, and writes a journal. */
final class Sender implements AutoCloseable {

    private final HikariDataSource pool;
    private final Journal journal;
    private final JdbcTransactions transactions;
    private final Engine engine;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Sender(HikariDataSource pool, Journal journal) {
        this.pool = pool;
        this.journal = journal;
        this.transactions = new JdbcTransactions(pool);
        this.engine = Engine.builder(MyBatisStore.over(pool, transactions)).build();
    }

    /** Sends messages in one transaction. */
    void send(ChaosMessage... messages) throws Exception {
        begin(messages).commit();
    }

    /** Enqueues messages and leaves the transaction open. */
    OpenTransaction begin(ChaosMessage... messages) throws Exception {
        OpenTransaction openTransaction = new OpenTransaction(List.of(messages));
        openTransaction.enqueued.await(20, TimeUnit.SECONDS);
        return openTransaction;
    }

    private void enqueue(ChaosMessage message) throws SQLException {
        try (var insert = transactions.connection().prepareStatement(ChaosTables.insertBusiness(1))) {
            insert.setString(1, message.key());
            insert.setLong(2, message.dueIn() * 1000);
            insert.executeUpdate();
        }
        EnqueueOptions options = EnqueueOptions.options().key(message.key()).delay(Duration.ofMillis(message.dueIn()));
        engine.queue()
                .enqueue(
                        ChaosTables.QUEUE,
                        message,
                        message.lane() == null ? options : options.orderingKey(message.lane()));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        engine.close();
        pool.close();
        journal.close();
    }

    /** A transaction that has enqueued and not yet committed, on a thread of its own. */
    final class OpenTransaction {

        private final List<ChaosMessage> messages;
        private final CountDownLatch enqueued = new CountDownLatch(1);
        private final CountDownLatch go = new CountDownLatch(1);
        private final Future<?> ended;

        private OpenTransaction(List<ChaosMessage> messages) {
            this.messages = messages;
            this.ended = threads.submit(this::run);
        }

        private Void run() throws Exception {
            messages.forEach(e -> journal.write(Phase.INTENT, e.key(), String.valueOf(e.lane()), e.seq(), e.action()));
            transactions.run(() -> {
                for (ChaosMessage message : messages) {
                    enqueue(message);
                }
                enqueued.countDown();
                go.await();
            });
            messages.forEach(e -> journal.write(Phase.OK, e.key()));
            return null;
        }

        void commit() throws Exception {
            go.countDown();
            ended.get(20, TimeUnit.SECONDS);
        }
    }
}
