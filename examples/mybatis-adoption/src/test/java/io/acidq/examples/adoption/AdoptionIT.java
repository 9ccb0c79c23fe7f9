package io.acidq.examples.adoption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.math.BigDecimal;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@ParameterizedClass
@EnumSource(ServerKind.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdoptionIT {

    @Parameter
    ServerKind kind;

    private ConfigurableApplicationContext context;
    private OrderService service;
    private OrderMapper orders;
    private ShipmentMapper shipments;
    private SqlSession session;
    private JdbcTemplate jdbc;

    @BeforeParameterizedClassInvocation
    void start() {
        TestDatabase database = TestServers.get(kind).createDatabase();
        context = SpringApplication.run(
                ShopApplication.class,
                database.springArguments(
                        "--acidq.retry.default.initial-delay=20ms",
                        "--acidq.retry.default.multiplier=1",
                        "--acidq.retry.default.max-attempts=1000"));
        service = context.getBean(OrderService.class);
        orders = context.getBean(OrderMapper.class);
        shipments = context.getBean(ShipmentMapper.class);
        session = context.getBean(SqlSession.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterParameterizedClassInvocation
    void close() {
        context.close();
    }

    @Test
    void leavesTheMyBatisOfTheApplicationAlone() {
        assertThat(context.getBeansOfType(SqlSessionFactory.class)).hasSize(1);
        assertThat(context.getBeansOfType(MapperFactoryBean.class)).hasSize(2);
        var configuration = context.getBean(SqlSessionFactory.class).getConfiguration();
        assertThat(configuration.isMapUnderscoreToCamelCase()).isTrue();
        assertThat(configuration.getMapperRegistry().getMappers())
                .containsExactlyInAnyOrder(OrderMapper.class, ShipmentMapper.class);
    }

    @Test
    void shipsAndInvoicesWhatWasPlaced() {
        service.place(order(1));

        await().until(() -> shipments.count(1) == 1);
        assertThat(invoices(1)).isEqualTo(1);
    }

    @Test
    void rollsTheMappersWorkBackWithTheMessage() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    service.place(order(2));
                    assertThat(orders.count(2)).isEqualTo(1);
                    throw new IllegalStateException("no credit");
                }))
                .hasMessage("no credit");

        assertThat(orders.count(2)).isZero();
        assertThat(messages()).isZero();
    }

    @Test
    void rollsTheMappersWorkBackWhenTheSqlSessionFailsAfterIt() {
        jdbc.execute("ALTER TABLE invoices RENAME TO lost_invoices");
        service.place(order(3));
        await().until(() -> attempts() > 1);
        assertThat(shipments.count(3)).isZero();

        jdbc.execute("ALTER TABLE lost_invoices RENAME TO invoices");

        await().until(() -> shipments.count(3) == 1);
        assertThat(invoices(3)).isEqualTo(1);
        assertThat(messages()).isZero();
    }

    private static Order order(long id) {
        return new Order(id, "Ada", new BigDecimal("12.50"));
    }

    private int invoices(long order) {
        Integer count = session.selectOne("invoices.count", order);
        return count == null ? 0 : count;
    }

    private int attempts() {
        return jdbc.queryForObject(
                "SELECT COALESCE(MAX(attempts), 0) FROM (SELECT attempts FROM acidq_message UNION ALL SELECT attempts FROM acidq_scheduled) m",
                Integer.class);
    }

    private int messages() {
        return jdbc.queryForObject(
                "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)", Integer.class);
    }
}
