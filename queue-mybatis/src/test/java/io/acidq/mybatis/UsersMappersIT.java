package io.acidq.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.mapping.Environment;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.apache.ibatis.session.SqlSessionFactoryBuilder;
import org.apache.ibatis.transaction.managed.ManagedTransactionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Mappers of an application without Spring share the transactions of the queue. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class UsersMappersIT {

    @Parameter
    private ServerKind kind;

    record Order(long id) {}

    interface ShopMapper {

        @Insert("INSERT INTO orders (id) VALUES (#{id})")
        void insertOrder(long id);

        @Insert("INSERT INTO shipments (order_id) VALUES (#{id})")
        void insertShipment(long id);

        @Select("SELECT id FROM orders ORDER BY id")
        List<Long> orders();

        @Select("SELECT order_id FROM shipments ORDER BY order_id")
        List<Long> shipments();
    }

    // snippet:factory
    static SqlSessionFactory sessions(DataSource dataSource) {
        Properties properties = new Properties();
        properties.setProperty("closeConnection", "false"); // AcidQ closes the connection
        ManagedTransactionFactory transactions = new ManagedTransactionFactory(); // ends no transaction
        transactions.setProperties(properties);
        Configuration configuration = new Configuration(new Environment("shop", transactions, dataSource));
        configuration.addMapper(ShopMapper.class);
        return new SqlSessionFactoryBuilder().build(configuration);
    }
    // /snippet

    private static Engine engine(DataSource dataSource, JdbcTransactions transactions) {
        // snippet:listen
        SqlSessionFactory sessions = sessions(dataSource);
        Engine engine = Engine.builder(MyBatisStore.over(dataSource, transactions))
                .listen(Listener.on("order.placed", Order.class, (order, delivery) -> {
                    try (SqlSession session = sessions.openSession(transactions.connection())) {
                        session.getMapper(ShopMapper.class).insertShipment(order.id());
                    }
                    return order.id() > 0 ? Outcome.done() : Outcome.dead("a negative number");
                }))
                .build();
        // /snippet
        return engine;
    }

    private static void place(Engine engine, JdbcTransactions transactions, SqlSessionFactory sessions, Order order)
            throws Exception {
        // snippet:place
        transactions.call(() -> {
            try (SqlSession session = sessions.openSession(transactions.connection())) {
                session.getMapper(ShopMapper.class).insertOrder(order.id());
            }
            return engine.queue().enqueue("order.placed", order); // commits with the order
        });
        // /snippet
    }

    @Test
    void shareTheTransactionsOfCallersAndHandlers() throws Exception {
        TestDatabase database = TestServers.get(kind).createDatabase();
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setUsername(database.username());
            pool.setPassword(database.password());
            createTables(pool);
            JdbcTransactions transactions = new JdbcTransactions(pool);
            SqlSessionFactory sessions = sessions(pool);
            try (Engine engine = engine(pool, transactions)) {
                engine.start();

                place(engine, transactions, sessions, new Order(1));
                place(engine, transactions, sessions, new Order(-1));
                assertThatThrownBy(() -> transactions.run(() -> {
                            place(engine, transactions, sessions, new Order(2)); // joins, and is rolled back with it
                            throw new IllegalStateException("no stock");
                        }))
                        .hasMessage("no stock");

                await().until(() -> engine.backlog("order.placed").dead() == 1
                        && engine.backlog("order.placed").ready()
                                        + engine.backlog("order.placed").running()
                                == 0);
            }
            transactions.run(() -> {
                try (SqlSession session = sessions.openSession(transactions.connection())) {
                    ShopMapper shop = session.getMapper(ShopMapper.class);
                    assertThat(shop.orders()).containsExactly(-1L, 1L);
                    assertThat(shop.shipments()).containsExactly(1L);
                }
            });
        }
    }

    private static void createTables(DataSource pool) throws SQLException {
        Schema.create(pool);
        try (Connection connection = pool.getConnection()) {
            connection.createStatement().execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
            connection.createStatement().execute("CREATE TABLE shipments (order_id BIGINT PRIMARY KEY)");
        }
    }
}
