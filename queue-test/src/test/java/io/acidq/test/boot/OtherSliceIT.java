package io.acidq.test.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.test.TestQueue;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.annotation.Transactional;

/** A test slice of Spring Boot without queues, such as the one for JDBC. */
@SpringBootTest(classes = OtherSliceIT.Bare.class)
@OverrideAutoConfiguration(enabled = false)
@ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    TransactionAutoConfiguration.class
})
@AutoConfigureTestQueue
@Transactional
class OtherSliceIT {

    @Autowired
    private Shop shop;

    @Autowired
    private TestQueue queue;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabase.of(ServerKind.MARIADB, properties);
    }

    @Test
    void hasTheQueueToo() {
        shop.place(3);
        assertThat(queue.drain().allDone().done()).isEqualTo(1);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Shop.class)
    static class Bare {}
}
