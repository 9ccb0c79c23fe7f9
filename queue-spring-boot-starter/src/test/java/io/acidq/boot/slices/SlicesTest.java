package io.acidq.boot.slices;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.boot.slices.SliceApplication.Order;
import io.acidq.boot.slices.SliceComponents.OrderMapper;
import io.acidq.boot.slices.SliceComponents.OrderRepository;
import io.acidq.engine.Engine;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.boot.test.autoconfigure.MybatisTest;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

/** Test slices of an application that has the starter and annotations of AcidQ: they have no engine, and start without one. */
class SlicesTest {

    @Nested
    @WebMvcTest
    class Web {
        @Test
        void callsAControllerThatPublishes(@Autowired MockMvcTester mvc, @Autowired ApplicationContext context) {
            assertThat(mvc.get().uri("/order")).hasStatusOk().bodyText().isEqualTo("{\"id\":17}");
            assertThat(context.getBeansOfType(Engine.class)).isEmpty();
        }
    }

    @Nested
    @JsonTest
    class Json {
        @Autowired
        private JacksonTester<Order> json;

        @Test
        void writes() throws Exception {
            assertThat(json.write(new Order(17)).getJson()).isEqualTo("{\"id\":17}");
        }
    }

    @Nested
    @JdbcTest
    @Import(OrderRepository.class)
    class Jdbc {
        @Test
        void callsARepositoryThatPublishes(
                @Autowired OrderRepository orders,
                @Autowired JdbcTemplate jdbc,
                @Autowired ApplicationContext context) {
            assertThat(orders.save(new Order(17))).isEqualTo(new Order(17));
            assertThat(jdbc.queryForObject("SELECT 1", Integer.class)).isEqualTo(1);
            assertThat(context.getBeansOfType(Engine.class)).isEmpty();
        }
    }

    @Nested
    @MybatisTest
    class MyBatis {
        @Test
        void callsAMapperThatPublishes(@Autowired OrderMapper orders) {
            assertThat(orders.id()).isEqualTo(17);
        }
    }
}
