package io.acidq.examples.plain;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Enqueued;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.devdb.DevDatabase;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Sends an invoice and books it, each in one transaction with its part of the queue. */
public final class PlainJava {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private PlainJava() {}

    public static void main(String[] args) throws Exception {
        try (DevDatabase database = DevDatabase.start();
                HikariDataSource dataSource = open(database.jdbcUrl(), database.username(), database.password())) {
            run(dataSource, new Invoice(4711, "Ada", 1250));
        }
    }

    private static void run(DataSource dataSource, Invoice invoice) throws Exception {
        // snippet:plain
        Schema.create(dataSource);
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        Engine engine = Engine.builder(MyBatisStore.over(dataSource, transactions))
                .listen(Listener.on("invoice.sent", Invoice.class, (sent, delivery) -> {
                    Books.book(transactions.connection(), sent); // commits with the end of the message
                    return Outcome.done();
                }))
                .build();
        engine.start();

        Enqueued enqueued = transactions.call(() -> {
            Books.send(transactions.connection(), invoice);
            return engine.queue().enqueue("invoice.sent", invoice); // commits with the invoice
        });
        // /snippet
        try (engine) {
            System.out.println("sent invoice " + invoice.number() + " with message " + enqueued.id());
            System.out.println("booked " + bookings(transactions) + " time(s)");
        }
    }

    /** Waits until the handler's transaction has committed. */
    private static int bookings(JdbcTransactions transactions) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        int bookings = 0;
        while (bookings == 0 && System.nanoTime() < deadline) {
            Thread.sleep(10);
            bookings = transactions.call(() -> Books.booked(transactions.connection()));
        }
        return bookings;
    }

    /** Opens a pool, and creates the tables of the application. */
    static HikariDataSource open(String url, String username, String password) throws SQLException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setUsername(username);
        pool.setPassword(password);
        try (Connection connection = pool.getConnection()) {
            Books.create(connection);
        }
        return pool;
    }
}
