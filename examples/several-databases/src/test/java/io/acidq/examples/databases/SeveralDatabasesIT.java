package io.acidq.examples.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.QueueMisuseException;
import io.acidq.spring.QueueEngine;
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
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The shop on one server and the billing on the other. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeveralDatabasesIT {

    @Parameter
    ServerKind kind;

    private ConfigurableApplicationContext context;
    private Shop shop;
    private JdbcTemplate orders;
    private JdbcTemplate invoices;

    @BeforeParameterizedClassInvocation
    void start() {
        TestDatabase first = TestServers.get(kind).createDatabase();
        TestDatabase second = TestServers.get(kind == ServerKind.MYSQL ? ServerKind.MARIADB : ServerKind.MYSQL)
                .createDatabase();
        context = SpringApplication.run(
                SeveralDatabasesApplication.class,
                first.springArguments(
                        "--billing.datasource.jdbc-url=" + second.jdbcUrl(),
                        "--billing.datasource.username=" + second.username(),
                        "--billing.datasource.password=" + second.password(),
                        "--acidq.retry.default.initial-delay=20ms",
                        "--acidq.retry.default.multiplier=1",
                        "--acidq.retry.default.max-attempts=1000"));
        shop = context.getBean(Shop.class);
        orders = context.getBean(JdbcTemplate.class);
        invoices = context.getBean("billingJdbcTemplate", JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void billsAnOrderOfOneDatabaseInTheOther() {
        shop.place(new Order(1, 100));

        await().until(() -> number(invoices, "SELECT COALESCE(SUM(mailed), 0) FROM invoices WHERE order_id = 1") == 1);
        await().until(() -> number(orders, "SELECT billed FROM orders WHERE id = 1") == 1);
        assertThat(number(invoices, "SELECT COUNT(*) FROM acidq_queue WHERE name = 'order.placed'"))
                .as("the shop's queue is not there")
                .isZero();
    }

    /** The shop's transaction fails after the billing's has committed, and the message comes again. */
    @Test
    void writesOneInvoiceThoughTheShopForwardsTheOrderTwice() {
        orders.execute("ALTER TABLE orders RENAME COLUMN billed TO hidden");
        shop.place(new Order(2, 200));
        await().until(() -> number(orders, "SELECT COALESCE(MAX(attempts), 0) FROM acidq_scheduled") > 1
                && number(invoices, "SELECT COUNT(*) FROM invoices WHERE order_id = 2") == 1);

        orders.execute("ALTER TABLE orders RENAME COLUMN hidden TO billed");

        await().until(() -> number(orders, "SELECT billed FROM orders WHERE id = 2") == 1);
        assertThat(number(invoices, "SELECT COUNT(*) FROM invoices WHERE order_id = 2"))
                .isEqualTo(1);
    }

    @Test
    void refusesToEnqueueInTheTransactionOfTheOtherDatabase() {
        TransactionTemplate ofTheShop = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

        assertThatThrownBy(() -> ofTheShop.executeWithoutResult(status -> context.getBean(QueueEngine.class)
                        .engine()
                        .queue()
                        .enqueue(Invoices.WRITTEN, new Order(3, 300))))
                .isInstanceOf(QueueMisuseException.class);
    }

    private static int number(JdbcTemplate jdbc, String query) {
        return jdbc.queryForObject(query, Integer.class);
    }
}
