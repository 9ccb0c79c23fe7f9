package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.MessageRejectedException;
import io.acidq.boot.shop.Money;
import io.acidq.boot.shop.Order;
import io.acidq.boot.shop.OrderService;
import io.acidq.boot.shop.ShopApplication;
import io.acidq.boot.shop.ShopMapper;
import io.acidq.testservers.ServerKind;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.SqlSessionTemplate;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** AcidQ and the MyBatis of the application: neither changes the other, and both write in one transaction. */
@ParameterizedClass
@EnumSource(ServerKind.class)
class UsersOwnMyBatisIT {

    private final ConfigurableApplicationContext context;
    private final OrderService orders;
    private final ShopMapper mapper;

    UsersOwnMyBatisIT(ServerKind kind) {
        context = ServerApplication.start(
                kind,
                ShopApplication.class,
                "acidq.initialize-schema=always",
                "acidq.retry.shipping.initial-delay=0s",
                "acidq.retry.shipping.max-delay=0s");
        orders = context.getBean(OrderService.class);
        mapper = context.getBean(ShopMapper.class);
    }

    @BeforeEach
    void createTables() {
        mapper.createOrders();
        mapper.createShipments();
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void doesNotChangeTheMyBatisOfTheApplication() {
        assertThat(context.getBeansOfType(SqlSessionFactory.class)).containsOnlyKeys("shopSessions");
        assertThat(context.getBeansOfType(SqlSessionTemplate.class)).hasSize(1);
        assertThat(context.getBeansOfType(MapperFactoryBean.class)).hasSize(1);
        assertThat(context.getBeansOfType(PlatformTransactionManager.class)).hasSize(1);
        assertThat(context.getBean(SqlSessionFactory.class)
                        .getConfiguration()
                        .getMapperRegistry()
                        .getMappers())
                .containsExactly(ShopMapper.class);
    }

    @Test
    void carriesAnOrderFromMapperToMapper() {
        Order order = orders.place(new Order(1L, new Money(995)));

        await().until(() -> !mapper.shipped().isEmpty());

        assertThat(mapper.orders()).containsExactly(order);
        assertThat(mapper.shipped()).containsExactly(order);
    }

    @Test
    void rollsBackTheMapperWhenTheListenerFails() {
        orders.place(new Order(1L, new Money(995)));

        await().until(() -> messages() == 0);

        assertThat(mapper.attempts()).containsExactly(3);
    }

    @Test
    void rollsOrderAndMessageBackTogether() {
        assertThatThrownBy(() -> orders.placeAndFail(new Order(1L, new Money(1))))
                .hasMessage("out of stock");
        assertThatThrownBy(() -> orders.placeAndFailToPublish(new Order(2L, new Money(2))))
                .isInstanceOf(MessageRejectedException.class);

        assertThat(mapper.orders()).isEmpty();
        assertThat(messages()).isZero();
    }

    private int messages() {
        return context.getBean(JdbcTemplate.class)
                .queryForObject(
                        "SELECT (SELECT COUNT(*) FROM acidq_message) + (SELECT COUNT(*) FROM acidq_scheduled)",
                        Integer.class);
    }
}
