package io.acidq.spring.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.MessageRejectedException;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.spring.Publish;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.annotation.AliasFor;

class PublishTest {

    record Order(long id, String customer) {}

    record PasswordReset(String user) {}

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Publish(queue = "meta", key = "#result.id")
    @interface PublishesOrder {

        @AliasFor(annotation = Publish.class, attribute = "condition")
        String when() default "";
    }

    interface Greeter {
        @Publish(queue = "greeted", key = "#name")
        String greet(String name);
    }

    static class Shop {

        int runs;

        @Publish(queue = "${shop.queue}", key = "#result.id", orderingKey = "#customer")
        Order place(long id, String customer) {
            runs++;
            return new Order(id, customer);
        }

        @Publish(queue = "q", key = "#p0 + '-' + #a1 + '-' + #root.methodName + '-' + #root.args[0]")
        String byIndex(String first, String second) {
            return first + second;
        }

        @Publish(queue = "q", key = "@numbers.get('answer')")
        String withBean() {
            return "x";
        }

        @Publish(queue = "q", condition = "#result.id > 10")
        Order onlyLarge(long id) {
            return new Order(id, "c");
        }

        @Publish(queue = "q", key = "#result.customer")
        Optional<Order> find(Order order) {
            return Optional.ofNullable(order);
        }

        @Publish(queue = "q")
        Order maybe(Order order) {
            return order;
        }

        @Publish(queue = "q", payload = "#order.customer")
        void noResult(Order order) {}

        @Publish(queue = "q", delay = "${shop.delay}")
        String later() {
            return "x";
        }

        @Publish(queue = "q", delay = "#delay")
        String later(Object delay) {
            return "x";
        }

        // snippet:priority
        @Publish(queue = "mail", priority = "high")
        PasswordReset resetPassword(String user) {
            return new PasswordReset(user);
        }
        // /snippet

        @Publish(queue = "q", priority = "#priority")
        String prioritized(Object priority) {
            return "x";
        }

        @Publish(queue = "q", delay = "${shop.delay}", expiresAfter = "10m")
        String expiring() {
            return "x";
        }

        @Publish(queue = "q", expiresAfter = "#left")
        String expiring(Object left) {
            return "x";
        }

        @Publish(queue = "q", at = "#due")
        String due(Object due) {
            return "x";
        }

        @PublishesOrder(when = "#id == 1")
        Order meta(long id) {
            return new Order(id, "c");
        }

        @Publish(queue = "q")
        String fails() {
            throw new IllegalStateException("out of stock");
        }

        Order placeWithinItself(long id) {
            return place(id, "self");
        }
    }

    private final FakeStore store = new FakeStore();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private Shop shop;

    @BeforeEach
    void start() {
        shop = start(Shop.class);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void publishesTheResultWithKeyAndOrderingKey() {
        Order placed = shop.place(7, "ann");

        assertThat(placed).isEqualTo(new Order(7, "ann"));
        assertThat(store.published.get(0).queue()).isEqualTo("orders");
        assertThat(store.only().payload()).isEqualTo(placed);
        assertThat(store.only().options().key()).isEqualTo("7");
        assertThat(store.only().options().orderingKey()).isEqualTo("ann");
    }

    @Test
    void evaluatesArgumentsByIndexAndTheRoot() {
        shop.byIndex("a", "b");

        assertThat(store.only().options().key()).isEqualTo("a-b-byIndex-a");
    }

    @Test
    void evaluatesBeans() {
        shop.withBean();

        assertThat(store.only().options().key()).isEqualTo("42");
    }

    @Test
    void publishesOnlyUnderTheCondition() {
        shop.onlyLarge(10);
        shop.onlyLarge(11);

        assertThat(store.only().payload()).isEqualTo(new Order(11, "c"));
    }

    @Test
    void unwrapsAnOptional() {
        shop.find(new Order(1, "ann"));

        assertThat(store.only().payload()).isEqualTo(new Order(1, "ann"));
        assertThat(store.only().options().key()).isEqualTo("ann");
    }

    @Test
    void publishesNothingForNullAndEmpty() {
        assertThat(shop.find(null)).isEmpty();
        assertThat(shop.maybe(null)).isNull();

        assertThat(store.published).isEmpty();
    }

    @Test
    void publishesThePayloadOfAnExpression() {
        shop.noResult(new Order(1, "ann"));

        assertThat(store.only().payload()).isEqualTo("ann");
    }

    @Test
    void publishesNothingWhenTheValueOfTheExpressionIsNull() {
        shop.noResult(new Order(1, null));

        assertThat(store.published).isEmpty();
    }

    @Test
    void readsAFixedDelayFromAProperty() {
        shop.later();

        assertThat(store.only().options().delay()).isEqualTo(Duration.ofDays(3));
    }

    @Test
    void evaluatesADelay() {
        shop.later(Duration.ofSeconds(5));
        shop.later("PT10S");
        shop.later("15s");
        shop.later((Object) null);

        assertThat(store.published.stream().map(p -> p.message().options().delay()))
                .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(15), null);
    }

    @Test
    void readsAFixedPriority() {
        shop.resetPassword("ann");

        assertThat(store.only().options().priority()).isEqualTo(Priority.HIGH);
    }

    @Test
    void evaluatesAPriority() {
        shop.prioritized(Priority.LOW);
        shop.prioritized("Normal");
        shop.prioritized(null);

        assertThat(store.published.stream().map(p -> p.message().options().priority()))
                .containsExactly(Priority.LOW, Priority.NORMAL, null);
        assertThatThrownBy(() -> shop.prioritized(7))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContainingAll("#priority", "'7'", "high, normal or low");
    }

    @Test
    void readsAndEvaluatesATimeToLive() {
        shop.expiring();
        shop.expiring(Duration.ofSeconds(5));
        shop.expiring((Object) null);

        assertThat(store.published.stream().map(p -> p.message().options().expiresAfter()))
                .containsExactly(Duration.ofMinutes(10), Duration.ofSeconds(5), null);
    }

    @Test
    void refusesADelayWithoutUnit() {
        assertThatThrownBy(() -> shop.later(5))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("#delay")
                .hasMessageContaining("30s");
        assertThatThrownBy(() -> shop.later("5")).isInstanceOf(MessageRejectedException.class);
    }

    @Test
    void evaluatesADueTime() {
        Instant noon = Instant.parse("2030-01-01T12:00:00Z");
        shop.due(noon);
        shop.due(OffsetDateTime.parse("2030-01-01T13:00:00+01:00"));
        shop.due(null);

        assertThat(store.published.stream().map(p -> p.message().options().at()))
                .containsExactly(noon, noon, null);
    }

    @Test
    void refusesADueTimeWithoutZone() {
        assertThatThrownBy(() -> shop.due(LocalDateTime.of(2030, 1, 1, 12, 0)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("zone");
    }

    @Test
    void worksAsAMetaAnnotation() {
        shop.meta(2);
        shop.meta(1);

        assertThat(store.published.get(0).queue()).isEqualTo("meta");
        assertThat(store.only().options().key()).isEqualTo("1");
    }

    @Test
    void findsTheAnnotationOnTheInterfaceAndTheNamesInTheClass() {
        try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext()) {
            FakeStore fake = new FakeStore();
            refresh(own, fake, Named.class);

            own.getBean(Greeter.class).greet("ann");

            assertThat(fake.only().payload()).isEqualTo("hello ann");
            assertThat(fake.only().options().key()).isEqualTo("ann");
        }
    }

    static class Named implements Greeter {
        @Override
        public String greet(String name) {
            return "hello " + name;
        }
    }

    @Test
    void refusesANullKey() {
        assertThatThrownBy(() -> shop.find(new Order(1, null)))
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("key '#result.customer'")
                .hasMessageContaining("Shop.find(Order)");
    }

    @Test
    void namesTheExpressionThatCannotBeEvaluated() {
        assertThatThrownBy(() ->
                        startWith(BadProperty.class).getBean(BadProperty.class).place())
                .isInstanceOf(MessageRejectedException.class)
                .hasMessageContaining("#result.nothing")
                .hasMessageContaining("BadProperty.place()");
    }

    @Test
    void publishesNothingWhenTheMethodThrows() {
        assertThatThrownBy(() -> shop.fails())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("out of stock");

        assertThat(store.published).isEmpty();
    }

    @Test
    void doesNotRunTheMethodWithoutATransaction() {
        store.active = false;

        assertThatThrownBy(() -> shop.place(1, "ann"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Shop.place(long, String)")
                .hasMessageContaining("@Transactional");
        assertThat(shop.runs).isZero();
    }

    @Test
    void doesNotRunTheMethodInAReadOnlyTransaction() {
        store.readOnly = true;

        assertThatThrownBy(() -> shop.place(1, "ann"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Shop.place(long, String)")
                .hasMessageContaining("readOnly");
        assertThat(shop.runs).isZero();
    }

    @Test
    void publishesNothingOnACallWithinTheSameObject() {
        shop.placeWithinItself(1);

        assertThat(store.published).isEmpty();
    }

    static class PrivateMethod {
        @Publish(queue = "q")
        private String place() {
            return "x";
        }
    }

    static class FinalMethod {
        @Publish(queue = "q")
        final String place() {
            return "x";
        }
    }

    static class VoidMethod {
        @Publish(queue = "q")
        void place() {}
    }

    static class FutureMethod {
        @Publish(queue = "q")
        java.util.concurrent.CompletableFuture<String> place() {
            return null;
        }
    }

    static class MonoMethod {
        @Publish(queue = "q")
        reactor.core.publisher.Mono<String> place() {
            return null;
        }
    }

    /** No proxy intercepts the second method. */
    static class OneGoodAndOnePrivate {
        @Publish(queue = "q")
        String place() {
            return hidden();
        }

        @Publish(queue = "q")
        private String hidden() {
            return "x";
        }
    }

    static class StaticMethod {
        @Publish(queue = "q")
        static String place() {
            return "x";
        }
    }

    static class BadProperty {
        @Publish(queue = "q", key = "#result.nothing")
        String place() {
            return "x";
        }
    }

    static class IteratorMethod {
        @Publish(queue = "q")
        java.util.Iterator<Order> place() {
            return java.util.Collections.emptyIterator();
        }
    }

    static class StreamMethod {
        @Publish(queue = "q")
        java.util.stream.IntStream place() {
            return null;
        }
    }

    static class PriorityAndOrder {
        @Publish(queue = "q", priority = "low", orderingKey = "'k'")
        String place() {
            return "x";
        }
    }

    static class UnknownPriority {
        @Publish(queue = "q", priority = "urgent")
        String place() {
            return "x";
        }
    }

    static class DelayAndAt {
        @Publish(queue = "q", delay = "${shop.delay}", at = "#due")
        String place(Instant due) {
            return "x";
        }
    }

    @Test
    void refusesAtStartMethodsThatCannotPublish() {
        assertRefused(PrivateMethod.class, "PrivateMethod.place()", "private");
        assertRefused(FinalMethod.class, "FinalMethod.place()", "final");
        assertRefused(StaticMethod.class, "StaticMethod.place()", "static");
        assertRefused(OneGoodAndOnePrivate.class, "OneGoodAndOnePrivate.hidden()", "private");
        assertRefused(VoidMethod.class, "VoidMethod.place()", "payload");
        assertRefused(FutureMethod.class, "FutureMethod.place()", "only after the transaction has ended");
        assertRefused(MonoMethod.class, "MonoMethod.place()", "only after the transaction has ended");
    }

    static class MonoMethodWithPayload {
        @Publish(queue = "q", payload = "#p0")
        reactor.core.publisher.Mono<String> place(String order) {
            return null;
        }
    }

    static class TaskMethod {
        @Publish(queue = "q", payload = "#p0")
        java.util.concurrent.Callable<String> place(String order) {
            return null;
        }
    }

    static class FutureMethodWithPayload {
        @Publish(queue = "q", payload = "#p0")
        java.util.concurrent.CompletableFuture<String> place(String order) {
            return new java.util.concurrent.CompletableFuture<>();
        }
    }

    @Test
    void refusesAtStartMethodsWhoseWorkBeginsAfterTheMessageIsEnqueued() {
        assertRefused(MonoMethodWithPayload.class, "MonoMethodWithPayload.place(String)", "work after it has returned");
        assertRefused(TaskMethod.class, "TaskMethod.place(String)", "work after it has returned");
    }

    @Test
    void publishesAnArgumentOfAMethodThatReturnsAFuture() {
        try (AnnotationConfigApplicationContext own = startWith(FutureMethodWithPayload.class)) {
            own.getBean(FutureMethodWithPayload.class).place("order");
        }

        assertThat(store.payloads()).containsExactly("order");
    }

    @Configuration
    static class BeanMethod {
        @Bean
        @Publish(queue = "q")
        String order() {
            return "x";
        }
    }

    @Test
    void refusesAtStartABeanMethod() {
        assertRefused(BeanMethod.class, "BeanMethod.order()", "is a @Bean method", "a method of a service");
    }

    static class UnknownProperty {
        @Publish(queue = "${nope.q}")
        String place() {
            return "x";
        }
    }

    @Test
    void namesTheAttributeThatHasAnUnknownPlaceholder() {
        assertThatThrownBy(() -> {
                    try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext()) {
                        own.registerBean(PropertySourcesPlaceholderConfigurer.class);
                        refresh(own, store, UnknownProperty.class);
                    }
                })
                .satisfies(failure -> assertThat(rootMisuse(failure))
                        .hasMessageContainingAll(
                                "@Publish on " + UnknownProperty.class.getName() + ".place(): queue '${nope.q}'",
                                "define the property"));
    }

    /** Such a message was stored under the name of a class of the JDK, and was always dead-lettered. */
    @Test
    void refusesAtStartAResultWhoseTypeNoListenerCanDeclare() {
        assertRefused(IteratorMethod.class, "IteratorMethod.place()", "returns a Iterator", "list");
        assertRefused(StreamMethod.class, "StreamMethod.place()", "returns a IntStream", "list");
    }

    @Test
    void refusesAtStartADelayAndADueTimeTogether() {
        assertRefused(DelayAndAt.class, "DelayAndAt.place(Instant)", "delay and at", "remove one");
    }

    @Test
    void refusesAtStartAPriorityThatNoMessageCanHave() {
        assertRefused(PriorityAndOrder.class, "PriorityAndOrder.place()", "priority and orderingKey", "remove one");
        assertRefused(UnknownPriority.class, "UnknownPriority.place()", "'urgent'", "high, normal or low");
    }

    @Test
    void refusesToStartWithoutAQueue() {
        assertThatThrownBy(() -> {
                    try (AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext()) {
                        own.register(PublishConfiguration.class, BadProperty.class);
                        own.refresh();
                    }
                })
                .hasRootCauseInstanceOf(QueueMisuseException.class)
                .rootCause()
                .hasMessageContaining("no MessageQueue bean");
    }

    private void assertRefused(Class<?> bean, String... words) {
        assertThatThrownBy(() -> startWith(bean)).satisfies(failure -> {
            QueueMisuseException misuse = rootMisuse(failure);
            assertThat(misuse).isNotNull();
            assertThat(misuse.getMessage()).contains(words);
        });
    }

    private static QueueMisuseException rootMisuse(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof QueueMisuseException misuse) {
                return misuse;
            }
        }
        return null;
    }

    private AnnotationConfigApplicationContext startWith(Class<?> bean) {
        AnnotationConfigApplicationContext own = new AnnotationConfigApplicationContext();
        refresh(own, store, bean);
        return own;
    }

    private <T> T start(Class<T> bean) {
        refresh(context, store, bean);
        return context.getBean(bean);
    }

    private static void refresh(AnnotationConfigApplicationContext context, FakeStore store, Class<?> bean) {
        context.registerBean("numbers", Map.class, () -> Map.of("answer", 42));
        store.refresh(context, bean);
    }
}
