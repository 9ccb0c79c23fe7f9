package io.acidq.test.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.test.TestQueue;
import io.acidq.test.boot.AutoConfigureTestQueue;
import io.acidq.test.orders.Orders.Order;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;

/**
 * The test that README.md shows. It has a subclass for each server, because a {@code @DynamicPropertySource} method is static and cannot see the
 * parameter of a class.
 */
@SpringBootTest
@AutoConfigureTestQueue
abstract class OrdersCases {

    @Autowired
    private Orders orders;

    @Autowired
    private TestQueue queue;

    @Autowired
    private JdbcTemplate jdbc;

    private long id;

    static void database(ServerKind kind, DynamicPropertyRegistry properties) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        properties.add("spring.datasource.url", database::jdbcUrl);
        properties.add("spring.datasource.username", database::username);
        properties.add("spring.datasource.password", database::password);
        properties.add("acidq.initialize-schema", () -> "always");
    }

    @BeforeEach
    void createTables() {
        jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, customer BIGINT NOT NULL)");
        jdbc.execute("CREATE TABLE shipments (order_id BIGINT NOT NULL)");
    }

    // snippet:test
    @Test
    void shipsAnOrderOnceWhereverTheProcessCrashes() {
        queue.assertExactlyOnce(
                () -> orders.place(new Order(++id, 7)),
                crashPoint -> assertThat(shipmentsOf(id)).isEqualTo(1));
    }
    // /snippet

    private int shipmentsOf(long order) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM shipments WHERE order_id = ?", Integer.class, order);
    }
}
