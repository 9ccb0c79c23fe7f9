package io.acidq.test.boot;

import static io.acidq.test.QueueAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.test.CrashPoint;
import io.acidq.test.DrainResult;
import io.acidq.test.TestQueue;
import io.acidq.test.boot.Shop.Order;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.test.context.transaction.BeforeTransaction;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * A slice whose tests are rolled back. It has a subclass for each server, because a {@code @DynamicPropertySource} method is static and cannot see
 * the parameter of a class.
 */
// snippet:slice
@QueueTest(includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Shop.class))
@Transactional
abstract class SliceCases {
    // /snippet

    @Autowired
    private Shop shop;

    @Autowired
    private TestQueue queue;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private Engine engine;

    @Autowired
    private ApplicationContext context;

    private int before;

    @BeforeTransaction
    void look() {
        before = rows();
    }

    @AfterTransaction
    void leavesNothingBehind() {
        assertThat(rows()).isEqualTo(before);
    }

    private int rows() {
        Integer rows = jdbc.queryForObject(
                "SELECT (SELECT COUNT(*) FROM orders) + (SELECT COUNT(*) FROM shipments) + (SELECT COUNT(*) FROM acidq_message)"
                        + " + (SELECT COUNT(*) FROM acidq_scheduled) + (SELECT COUNT(*) FROM acidq_key) + (SELECT COUNT(*) FROM acidq_dead)"
                        + " + (SELECT COUNT(*) FROM acidq_crash) + (SELECT COUNT(*) FROM acidq_node)",
                Integer.class);
        return rows == null ? 0 : rows;
    }

    private int shipments() {
        Integer count = jdbc.queryForObject("SELECT COUNT(*) FROM shipments", Integer.class);
        return count == null ? 0 : count;
    }

    @Test
    void startsNoEngineAndHasOnlyTheChosenComponents() {
        assertThat(engine.isRunning()).isFalse();
        assertThat(context.getBeanNamesForType(Idle.class)).isEmpty();
    }

    // snippet:published
    @Test
    void drainsWhatTheTestsTransactionHasPublished() {
        shop.place(17);
        assertThat(queue)
                .enqueued(Order.class)
                .inQueue("order.placed")
                .withKey("order-17")
                .once();
        queue.drain().allDone();
        assertThat(shipments()).isEqualTo(1);
        assertThat(queue).isEmpty();
    }
    // /snippet

    @Test
    void goesOnAfterAListenerThatThrewThroughItsTransactionalProxy() {
        shop.place(-1);
        shop.place(18);
        DrainResult result = queue.drain();
        assertThat(result.retried()).isEqualTo(1);
        assertThat(result.done()).isEqualTo(1);
        assertThat(shipments()).isEqualTo(1);
        assertThat(result.failures()).hasSize(1);
        assertThat(queue.drainIncludingScheduled().dead()).isEqualTo(1);
    }

    @Test
    void diesAndRunsAgainInsideTheTestsTransaction() {
        shop.place(19);
        assertThat(queue.crashAt(CrashPoint.BEFORE_COMMIT).drain().crashedAt()).contains(CrashPoint.BEFORE_COMMIT);
        assertThat(shipments()).isZero();
        queue.drain().allDone();
        assertThat(shipments()).isEqualTo(1);
    }

    @Test
    @Transactional(readOnly = true)
    void refusesToDrainInAReadOnlyTransaction() {
        assertThatThrownBy(queue::drain)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("remove readOnly = true from the test");
    }

    @Test
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    void commitsWithoutATestTransaction() {
        shop.place(20);
        queue.clock().advance(Duration.ofSeconds(1));
        queue.drain().allDone();
        assertThat(jdbc.update("DELETE FROM shipments")).isEqualTo(1);
        jdbc.update("DELETE FROM orders");
    }
}
