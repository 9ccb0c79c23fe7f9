package io.acidq.examples.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.Engine;
import io.acidq.test.TestQueue;
import io.acidq.test.boot.QueueTest;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase.Replace;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

/** A slice with queues and JPA, and Boot's slice for JPA alone. */
class SlicesIT {

    private static final TestDatabase DATABASE =
            TestServers.get(ServerKind.MARIADB).createDatabase();

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", DATABASE::jdbcUrl);
        properties.add("spring.datasource.username", DATABASE::username);
        properties.add("spring.datasource.password", DATABASE::password);
    }

    @Nested
    @QueueTest(
            includeFilters =
                    @Filter(
                            type = FilterType.ASSIGNABLE_TYPE,
                            classes = {Shop.class, Warehouse.class}))
    @Transactional
    class OfQueues {
        @Test
        void drainsListenersThatUseEntitiesInTheTransactionOfTheTest(
                @Autowired Shop shop, @Autowired TestQueue queue, @Autowired Stocks stocks) {
            shop.deliver("tea", 3);
            shop.buy("tea", 2);
            queue.drain().allDone();
            assertThat(stocks.findById("tea")).map(Stock::quantity).contains(1);
        }
    }

    @Nested
    @DataJpaTest
    @AutoConfigureTestDatabase(replace = Replace.NONE)
    @Import(Shop.class)
    class OfJpa {
        @Test
        void hasNoEngineAndCallsMethodsThatPublish(
                @Autowired Shop shop, @Autowired Stocks stocks, @Autowired ApplicationContext context) {
            shop.deliver("tea", 3);
            assertThat(shop.buy("tea", 2).quantity()).isEqualTo(2);
            assertThat(stocks.count()).isEqualTo(1);
            assertThat(context.getBeansOfType(Engine.class)).isEmpty();
        }
    }
}
