package io.acidq.examples.jta;

import com.mysql.cj.jdbc.MysqlXADataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * Measures the cost of two-phase commit: as many orders in local transactions, both tables on one server, and in JTA over two. Arguments: two JDBC
 * URLs of empty databases, user, password, number of orders.
 */
public final class Measure {

    private Measure() {}

    public static void main(String[] args) throws Exception {
        Server one = new Server(args[0], args[2], args[3], MysqlXADataSource.class);
        Server two = new Server(args[1], args[2], args[3], MysqlXADataSource.class);
        int orders = Integer.parseInt(args[4]);
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(one.url());
            pool.setUsername(one.user());
            pool.setPassword(one.password());
            pool.setMaximumPoolSize(12);
            try (TwoServers local = new TwoServers(new JdbcTransactionManager(pool), one, pool, pool)) {
                tell("local", local, orders);
            }
        }
        Path log = Files.createTempDirectory("acidq-jta");
        try (Coordinator coordinator = new Coordinator(log, "measure", one, two);
                AgroalDataSource effects = coordinator.enlisted(one);
                AgroalDataSource other = coordinator.enlisted(two);
                TwoServers jta = new TwoServers(coordinator.transactions(), one, effects, other)) {
            tell("jta", jta, orders);
        }
    }

    /** The first half warms up. */
    private static void tell(String name, TwoServers servers, int orders) throws InterruptedException {
        int before = servers.shipped();
        servers.place(orders);
        await(servers, before + orders);
        long began = System.nanoTime();
        servers.place(orders);
        await(servers, before + 2 * orders);
        System.out.printf(Locale.ROOT, "%s %.0f messages/s%n", name, orders * 1e9 / (System.nanoTime() - began));
    }

    private static void await(TwoServers servers, int shipped) throws InterruptedException {
        while (servers.shipped() < shipped) {
            Thread.sleep(10);
        }
    }
}
