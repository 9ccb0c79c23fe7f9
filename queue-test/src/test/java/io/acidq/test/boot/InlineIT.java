package io.acidq.test.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.Engine;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.Store;
import io.acidq.test.InlineProcessing;
import io.acidq.test.TestQueue;
import io.acidq.testservers.ServerKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A complete application whose messages run at the commit. */
// snippet:boot
@SpringBootTest(classes = ShopApplication.class)
@AutoConfigureTestQueue(inline = true)
class InlineIT {
    // /snippet

    @Autowired
    private Shop shop;

    @Autowired
    private TestQueue queue;

    @Autowired
    private InlineProcessing inline;

    @Autowired
    private Engine engine;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private Store store;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        ShopDatabase.of(ServerKind.MYSQL, properties);
    }

    // snippet:clear
    @BeforeEach
    void empty() {
        queue.clear();
    }
    // /snippet

    @Test
    void leavesTheApplicationItsTransactions() {
        assertThat(store.transactions()).isInstanceOf(SpringTransactions.class);
    }

    @Test
    void hasTheEffectsWhenTheCommitReturns() {
        shop.place(1);
        assertThat(jdbc.update("DELETE FROM shipments")).isEqualTo(1);
        assertThat(inline.result().allDone().done()).isEqualTo(1);
        assertThat(engine.isRunning()).isFalse();
    }
}
