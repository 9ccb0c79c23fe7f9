package io.acidq.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.admin.DeadLetters;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainSpringIT {

    @Parameter
    ServerKind kind;

    private HikariDataSource pool;
    private ConfigurableApplicationContext context;
    private Orders orders;
    private JdbcTemplate jdbc;

    @BeforeParameterizedClassInvocation
    void start() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        pool = PlainSpring.pool(database.jdbcUrl(), database.username(), database.password());
        context = PlainSpring.start(pool);
        orders = context.getBean(Orders.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
        pool.close();
    }

    @Test
    void shipsWhatWasPlaced() {
        orders.place(new Order(1, "tea"));

        await().until(() -> count("shipments WHERE order_id = 1") == 1);
        assertThat(count("acidq_message")).isZero();
    }

    @Test
    void enqueuesNothingWhenTheOrderIsRefused() {
        orders.place(new Order(2, "salt"));
        await().until(() -> count("shipments WHERE order_id = 2") == 1);

        assertThatThrownBy(() -> orders.place(new Order(2, "pepper"))).isInstanceOf(DuplicateKeyException.class);

        assertThat(count("acidq_message")).isZero();
        assertThat(count("shipments WHERE order_id = 2")).isEqualTo(1);
    }

    @Test
    void keepsAnOrderThatCanNotBeShippedAsADeadLetterWithoutItsShipment() {
        orders.place(new Order(3, " "));

        DeadLetters dead = context.getBean(DeadLetters.class);
        await().until(() -> !dead.list(Orders.PLACED, 10).isEmpty());
        assertThat(dead.list(Orders.PLACED, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.error()).contains("order 3 has no article");
            assertThat(letter.attempts()).isEqualTo(1);
        });
        assertThat(count("shipments WHERE order_id = 3")).isZero();
    }

    private int count(String from) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM " + from, Integer.class);
    }
}
