package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.codec.MessageType;
import io.acidq.spring.Publish;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.config.TestEngines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** Several messages of one method, and their attributes. */
class PublishManyTest {

    record Order(long id, String customer) {}

    @MessageType("orders")
    static class Orders extends ArrayList<Order> {
        private static final long serialVersionUID = 1L;
    }

    static class Shop {

        @Publish(queue = "q", key = "#payload.id", unless = "#payload.id > #result.size()")
        List<Order> list(Order... orders) {
            return Arrays.asList(orders);
        }

        @Publish(queue = "q")
        Order[] array() {
            return new Order[] {new Order(1, "ann"), null, new Order(2, "bob")};
        }

        @Publish(queue = "q")
        Optional<Set<Order>> set() {
            return Optional.of(Set.of(new Order(1, "ann")));
        }

        @Publish(queue = "q")
        Orders named() {
            return new Orders();
        }

        @Publish(queue = "q")
        byte[] bytes() {
            return new byte[] {1, 2};
        }

        @Publish(queue = "q", payload = "#result.size()")
        List<Order> counted() {
            return List.of();
        }

        @Publish(queue = "q", payload = "{#order.id, #order.customer}")
        void parts(Order order) {}

        @Publish(queue = "placed", key = "#result.id")
        @Publish(queue = "mailed", payload = "#result.customer", condition = "#result.customer != null")
        Order twice(Order order) {
            return order;
        }

        @Publish(queue = "first")
        @Publish(queue = "second", key = "#result.nothing")
        Order halfWrong(Order order) {
            return order;
        }

        @Publish(
                queue = "q",
                headers = {"source='shop'", "${shop.queue}.customer=#result.customer", "twice = #result.id * 2"})
        Order withHeaders(Order order) {
            return order;
        }

        @Publish(queue = "q", unless = "#result.customer == 'test'")
        Order unlessTest(Order order) {
            return order;
        }

        @Publish(queue = "q")
        Object anything(Object value) {
            return value;
        }
    }

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private Shop shop;

    @BeforeEach
    void start() {
        store.refresh(context, Shop.class);
        shop = context.getBean(Shop.class);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void publishesAllElementsInOneCall() {
        shop.list(new Order(1, "ann"), null, new Order(7, "test"), new Order(2, "bob"));

        assertThat(store.payloads()).containsExactly(new Order(1, "ann"), new Order(2, "bob"));
        assertThat(store.keys()).containsExactly("1", "2");
        assertThat(store.bulks).isEqualTo(1);
    }

    @Test
    void publishesNothingOfAnEmptyCollection() {
        shop.list();

        assertThat(store.bulks).isZero();
    }

    @Test
    void publishesEachElementOfArraysAndOfCollectionsInAnOptional() {
        shop.array();
        shop.set();

        assertThat(store.payloads()).containsExactly(new Order(1, "ann"), new Order(2, "bob"), new Order(1, "ann"));
    }

    @Test
    void publishesANamedCollectionAndAnArrayOfBytesAsOneMessage() {
        shop.named();
        shop.bytes();
        shop.counted();

        assertThat(store.payloads().stream().<Class<?>>map(Object::getClass))
                .containsExactly(Orders.class, byte[].class, Integer.class);
    }

    @Test
    void publishesEachElementOfThePayloadOfAnExpression() {
        shop.parts(new Order(1, "ann"));

        assertThat(store.payloads()).containsExactly(1L, "ann");
    }

    @Test
    void publishesToSeveralQueues() {
        shop.twice(new Order(1, "ann"));
        shop.twice(new Order(2, null));

        assertThat(store.queues()).containsExactly("placed", "mailed", "placed");
        assertThat(store.payloads()).containsExactly(new Order(1, "ann"), "ann", new Order(2, null));
        assertThat(store.keys()).containsExactly("1", null, "2");
    }

    @Test
    void enqueuesNothingWhenTheSecondOfTwoIsRefused() {
        assertThatThrownBy(() -> shop.halfWrong(new Order(1, "ann")))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("Shop.halfWrong(Order)")
                .hasMessageContaining("#result.nothing");

        assertThat(store.published).isEmpty();
    }

    @Test
    void publishesHeadersWithoutThoseThatAreNull() {
        shop.withHeaders(new Order(2, "ann"));
        shop.withHeaders(new Order(3, null));

        assertThat(store.published.stream().map(p -> p.message().options().headers()))
                .containsExactly(
                        Map.of("source", "shop", "orders.customer", "ann", "twice", "4"),
                        Map.of("source", "shop", "twice", "6"));
    }

    @Test
    void publishesNothingIfUnlessIsTrue() {
        shop.unlessTest(new Order(1, "test"));
        shop.unlessTest(new Order(2, "ann"));

        assertThat(store.only().payload()).isEqualTo(new Order(2, "ann"));
    }

    /** Values that the declared type does not exclude. */
    @Test
    void refusesResultsThatNoListenerCouldDecode() {
        assertRefused(CompletableFuture.completedFuture("x"), "only after the transaction has ended");
        assertRefused(reactor.core.publisher.Flux.empty(), "only after the transaction has ended");
        assertRefused(List.of(List.of("x")), "flat");
        assertRefused(List.of(Stream.of("x")), "list");
    }

    @Test
    void publishesAMapAsOneMessage() {
        shop.anything(Map.of("a", 1));

        assertThat(store.only().payload()).isEqualTo(Map.of("a", 1));
    }

    private void assertRefused(Object value, String word) {
        assertThatThrownBy(() -> shop.anything(value))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("Shop.anything(Object)")
                .hasMessageContaining(word);
        assertThat(store.published).isEmpty();
    }

    static class WrongManager {
        @Publish(queue = "q", transactionManager = "elsewhere")
        String place() {
            return "x";
        }
    }

    /** The application started, and the first call failed. */
    @Test
    void refusesAtStartATransactionManagerThatIsNotThere() {
        try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext()) {
            own.registerBean(QueueEngines.class, () -> TestEngines.of(own.getBeanFactory()));

            assertThatThrownBy(() -> store.refresh(own, WrongManager.class))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("WrongManager.place()")
                    .hasMessageContaining("transactionManager names 'elsewhere', but there is no such bean");
        }
    }
}
