package io.acidq.examples.plain;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Delivery;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.devdb.DevDatabase;
import io.acidq.engine.Engine;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.resilience.RetryPolicy;
import io.acidq.telemetry.Telemetry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Charges an invoice at a provider outside the database, whose first answer is lost: the retry charges nothing. */
public final class Charging {

    private static final int OK = 200;
    private static final RetryPolicy SOON =
            RetryPolicy.defaults().withBackoff(Duration.ofMillis(50), 2, Duration.ofSeconds(1));

    private final HttpClient http = HttpClient.newHttpClient();
    private final JdbcTransactions transactions;
    private final URI charges;

    private Charging(JdbcTransactions transactions, URI charges) {
        this.transactions = transactions;
        this.charges = charges;
    }

    public static void main(String[] args) throws Exception {
        try (DevDatabase database = DevDatabase.start();
                HikariDataSource dataSource = pool(database);
                PaymentProvider provider = PaymentProvider.open()) {
            try (Connection connection = dataSource.getConnection()) {
                Books.create(connection);
            }
            Schema.create(dataSource);
            run(dataSource, provider.charges());
            System.out.println("asked " + provider.requests() + " times, charged " + provider.charged() + " time(s)");
        }
    }

    private static void run(DataSource dataSource, URI charges) throws Exception {
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        Charging charging = new Charging(transactions, charges);
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Engine engine = Engine.builder(MyBatisStore.over(dataSource, transactions))
                .listen(Listener.on("invoice.due", Invoice.class, charging::charge)
                        .withRetry(SOON))
                .telemetry(new Telemetry() {
                    @Override
                    public void finished(MessageId id, Outcome outcome, Duration took) {
                        runs.incrementAndGet();
                        if (outcome == Outcome.done()) {
                            done.countDown();
                        }
                    }
                })
                .build();
        try (engine) {
            engine.start();
            transactions.run(() -> engine.queue().enqueue("invoice.due", new Invoice(4711, "Ada", 1250)));
            done.await(1, TimeUnit.MINUTES);
            int booked = transactions.call(() -> Books.booked(transactions.connection()));
            System.out.println("ran " + runs + " times, booked " + booked + " time(s)");
        }
    }

    // snippet:external
    /** May run several times for one message; the provider receives the same key each time. */
    private Outcome charge(Invoice due, Delivery delivery) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(charges)
                .timeout(Duration.ofSeconds(5)) // the handler's transaction is open meanwhile
                .header(PaymentProvider.KEY_HEADER, delivery.id().toString()) // the same at every attempt
                .POST(HttpRequest.BodyPublishers.ofString("cents=" + due.cents()))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != OK) {
            throw new IOException("the provider answered " + answer.statusCode());
        }
        Books.book(transactions.connection(), due); // commits with the end of the message
        return Outcome.done();
    }
    // /snippet

    private static HikariDataSource pool(DevDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.username());
        config.setPassword(database.password());
        return new HikariDataSource(config);
    }
}
