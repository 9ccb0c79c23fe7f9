package io.acidq.spring;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.MessageQueue;
import io.acidq.Outcome;
import io.acidq.admin.DeadLetters;
import io.acidq.resilience.RetryPolicy;
import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

@ParameterizedClass
@EnumSource(ServerKind.class)
class ListenerAttributesIT {

    record Order(long id) {}

    static class OutOfStockException extends Exception {}

    static class Shipping {

        final List<Integer> sizes = new CopyOnWriteArrayList<>();
        final List<Exception> errors = new CopyOnWriteArrayList<>();
        private final JdbcTemplate jdbc;

        Shipping(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        // snippet:batch
        @QueueListener(queue = "batch", batch = "true", concurrency = "1", transactionSize = "10", retry = "quick")
        void batch(List<Order> orders, List<Delivery> deliveries) {
            sizes.add(orders.size());
            assertThat(deliveries).hasSameSizeAs(orders);
            orders.forEach(order -> insert(order, "batch"));
            if (orders.contains(new Order(3))) {
                throw new IllegalStateException("never"); // after it has written for all of them
            }
        }
        // /snippet

        @QueueListener(queue = "outcomes", batch = "true", concurrency = "1", transactionSize = "10")
        List<Outcome> outcomes(List<Message<Order>> orders) {
            return orders.stream()
                    .map(message -> message.getPayload().id() == 3 ? Outcome.dead("third") : Outcome.done())
                    .toList();
        }

        @QueueListener(queue = "written", errorHandler = "toTable", retry = "quick")
        void written(Order order) throws OutOfStockException {
            insert(order, "by halves");
            throw new OutOfStockException();
        }

        @QueueListener(
                queue = "written-batch",
                batch = "true",
                concurrency = "1",
                transactionSize = "10",
                errorHandler = "toTable")
        void writtenBatch(List<Order> orders) {
            orders.forEach(order -> insert(order, "by halves"));
            throw new IllegalStateException("all of them");
        }

        @QueueListener(queue = "rethrown", errorHandler = "rethrows", retry = "quick")
        void rethrown(Order order) throws OutOfStockException {
            throw new OutOfStockException();
        }

        /** Swallows the interrupt and says something else. */
        @QueueListener(queue = "late", timeout = "100ms", errorHandler = "toTable", retry = "once")
        void late(Order order) {
            try {
                new CountDownLatch(1).await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("of its own");
            }
        }

        @QueueListener(queue = "some", condition = "#payload.id % 2 == 0")
        void some(Order order) {
            insert(order, "even");
        }

        @QueueListener(queue = "checked", retry = "quick")
        void checked(@Validated Message<Order> order) {
            insert(order.getPayload(), "valid");
        }

        private void insert(Order order, String note) {
            jdbc.update("INSERT INTO effect VALUES (?, ?)", order.id(), note);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Shipping shipping(JdbcTemplate jdbc) {
            return new Shipping(jdbc);
        }

        // snippet:error-handler
        @Bean
        QueueErrorHandler toTable(JdbcTemplate jdbc, Shipping shipping) {
            return (message, delivery, thrown) -> {
                shipping.errors.add(thrown);
                jdbc.update("INSERT INTO effect VALUES (?, ?)", ((Order) message.getPayload()).id(), "error");
                return Outcome.done();
            };
        }
        // /snippet

        @Bean
        QueueErrorHandler rethrows() {
            return (message, delivery, thrown) -> {
                throw new IllegalArgumentException("attempt " + delivery.attempt() + " after " + thrown.getClass());
            };
        }

        @Bean
        RetryPolicy once() {
            return RetryPolicy.defaults().withMaxAttempts(1);
        }

        @Bean
        RetryPolicy quick() {
            return RetryPolicy.defaults().withMaxAttempts(2).withBackoff(Duration.ZERO, 1, Duration.ZERO);
        }

        @Bean
        Validator positive() {
            return new Validator() {
                @Override
                public boolean supports(Class<?> type) {
                    return type == Order.class;
                }

                @Override
                public void validate(Object target, Errors errors) {
                    if (((Order) target).id() <= 0) {
                        errors.rejectValue("id", "positive", "must not be " + ((Order) target).id());
                    }
                }
            };
        }
    }

    private final QueueApplication application;

    ListenerAttributesIT(ServerKind kind) {
        this.application = new QueueApplication(kind, Shop.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void commitsNothingOfABatchThatThrowsAndRunsEachOfItAlone() {
        enqueue("batch", 30);
        drained();

        assertThat(application.effects()).isEqualTo(29);
        assertThat(application.count("SELECT COUNT(DISTINCT id) FROM effect WHERE id <> 3"))
                .isEqualTo(29);
        assertThat(dead("batch")).startsWith("java.lang.IllegalStateException: never");
        assertThat(application.bean(Shipping.class).sizes).anyMatch(size -> size > 1);
    }

    @Test
    void followsTheOutcomesOfABatch() {
        enqueue("outcomes", 5);
        drained();

        assertThat(dead("outcomes")).isEqualTo("third");
    }

    @Test
    void commitsWhatTheErrorHandlerDidAndNothingThatTheListenerDidByHalves() {
        enqueue("written", 1);
        drained();

        assertThat(notes()).containsExactly("error");
        assertThat(application.bean(Shipping.class).errors).hasExactlyElementsOfTypes(OutOfStockException.class);
        assertThat(application.bean(DeadLetters.class).list("written", 10)).isEmpty();
    }

    @Test
    void asksTheErrorHandlerOfABatchAboutEachMessageAlone() {
        enqueue("written-batch", 5);
        drained();

        assertThat(notes()).containsOnly("error").hasSize(5);
        assertThat(application.bean(Shipping.class).errors).hasSize(5);
    }

    @Test
    void handsWhatTheErrorHandlerThrowsToTheRetryPolicy() {
        enqueue("rethrown", 1);
        drained();

        assertThat(dead("rethrown"))
                .startsWith("java.lang.IllegalArgumentException: attempt 2 after class "
                        + OutOfStockException.class.getName());
    }

    /** It was handed what handlers make of the engine's interrupt, and took a timeout for a failure of the message. */
    @Test
    void doesNotAskTheErrorHandlerAboutATimeout() {
        enqueue("late", 1);
        drained();

        assertThat(dead("late")).contains("timeout of PT0.1S");
        assertThat(application.bean(Shipping.class).errors).isEmpty();
        assertThat(application.effects()).isZero();
    }

    @Test
    void acknowledgesWhatDoesNotMeetTheCondition() {
        enqueue("some", 10);
        drained();

        assertThat(application.jdbc.queryForList("SELECT id FROM effect ORDER BY id", Long.class))
                .containsExactly(2L, 4L, 6L, 8L, 10L);
    }

    @Test
    void leavesAnInvalidPayloadToTheRetryPolicy() {
        enqueue("checked", new Order(-1), options());
        enqueue("checked", new Order(1), options());
        drained();

        assertThat(dead("checked"))
                .startsWith(MethodArgumentNotValidException.class.getName())
                .endsWith("the payload is not valid: positive at id")
                .doesNotContain("-1", "Order");
        assertThat(notes()).containsExactly("valid");
    }

    private List<String> notes() {
        return application.jdbc.queryForList("SELECT note FROM effect", String.class);
    }

    private String dead(String queue) {
        List<io.acidq.admin.DeadLetter> dead =
                application.bean(DeadLetters.class).list(queue, 10);
        assertThat(dead).hasSize(1);
        return String.valueOf(dead.get(0).mark());
    }

    private void enqueue(String queue, int messages) {
        application.transaction.executeWithoutResult(status -> {
            for (int id = 1; id <= messages; id++) {
                application.bean(MessageQueue.class).enqueue(queue, new Order(id));
            }
        });
    }

    private void enqueue(String queue, Order order, EnqueueOptions options) {
        application.transaction.executeWithoutResult(
                status -> application.bean(MessageQueue.class).enqueue(queue, order, options));
    }

    private void drained() {
        await().atMost(Duration.ofSeconds(30)).until(() -> application.messages() == 0);
    }
}
