package io.acidq.examples.spring;

import static io.acidq.test.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.acidq.engine.Engine;
import io.acidq.test.TestQueue;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** The application from an XML context, with an engine that a test drives. */
@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DrainedOrdersIT {

    @Parameter
    ServerKind kind;

    private HikariDataSource pool;
    private GenericXmlApplicationContext context;
    private Orders orders;
    private TestQueue queue;
    private JdbcTemplate jdbc;

    // snippet:queue
    @Configuration(proxyBeanMethods = false)
    static class QueueOfTheTest {

        /** Takes the engine over when it is built, so that the context does not start it. */
        @Bean
        TestQueue testQueue(Engine engine) {
            return TestQueue.of(engine);
        }
    }
    // /snippet

    @BeforeParameterizedClassInvocation
    void start() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        pool = PlainSpring.pool(database.jdbcUrl(), database.username(), database.password());
        PlainSpring.createTables(pool);
        context = new GenericXmlApplicationContext();
        context.registerBean(DataSource.class, () -> pool);
        context.registerBean(QueueOfTheTest.class);
        context.load("context.xml");
        context.refresh();
        orders = context.getBean(Orders.class);
        queue = context.getBean(TestQueue.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
        pool.close();
    }

    @BeforeEach
    void empty() {
        queue.clear();
    }

    // snippet:drain
    @Test
    void shipsWhatWasPlacedWhenTheTestDrainsTheQueue() {
        orders.place(new Order(1, "tea"));
        assertThat(queue).enqueued(Order.class).inQueue("order.placed").once();

        queue.drain().allDone();

        assertThat(shipmentsOf(1)).isEqualTo(1);
    }
    // /snippet

    @Test
    void startsNoEngine() {
        assertThat(context.getBean(Engine.class).isRunning()).isFalse();
    }

    private int shipmentsOf(long order) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM shipments WHERE order_id = ?", Integer.class, order);
    }
}
