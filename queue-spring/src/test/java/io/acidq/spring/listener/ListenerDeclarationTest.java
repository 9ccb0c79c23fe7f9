package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.alibaba.csp.sentinel.annotation.SentinelResource;
import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.spring.ListenerDefaults;
import io.acidq.spring.QueueListener;
import io.acidq.spring.listener.ListenerFactory.DeclaredListener;
import io.acidq.spring.listener.ListenerTest.Arrived;
import io.acidq.spring.listener.ListenerTest.Order;
import io.github.resilience4j.circuitbreaker.annotation.CircuitBreaker;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.Caching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.interceptor.BeanFactoryCacheOperationSourceAdvisor;
import org.springframework.cache.interceptor.CacheInterceptor;
import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.cache.interceptor.NameMatchCacheOperationSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.AliasFor;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

class ListenerDeclarationTest {

    /** Like jakarta.validation.Valid: Spring recognizes both because their names begin with Valid. */
    @Target({ElementType.TYPE_USE, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Valid {}

    // snippet:composed
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @QueueListener(mode = "external", concurrency = "7")
    @interface Calls {

        @AliasFor(annotation = QueueListener.class, attribute = "queue")
        String value();
    }
    // /snippet

    private StartedListeners listeners;

    @AfterEach
    void close() {
        if (listeners != null) {
            listeners.close();
        }
    }

    static class Several {
        // snippet:queues
        @QueueListener(
                id = "mine",
                queues = {"a", "${shop.queue}", "#{{'c', 'd'}}"})
        void ship(Order order) {}
        // /snippet

        @QueueListener(queue = "e", queues = "#{'${shop.list}'.split(',')}")
        void also(Order order) {}

        @Calls("called")
        void composed(Order order) {}
    }

    @Test
    void createsAListenerForEachQueueOfAMethod() {
        assertThat(start(Several.class).declared())
                .extracting(DeclaredListener::id, DeclaredListener::queue)
                .containsExactlyInAnyOrder(
                        tuple("mine", "a"),
                        tuple("mine", "orders"),
                        tuple("mine", "c"),
                        tuple("mine", "d"),
                        tuple("bean.also", "e"),
                        tuple("bean.also", "x"),
                        tuple("bean.also", "y"),
                        tuple("bean.composed", "called"));
    }

    @Test
    void supportsComposedAnnotations() {
        Listener<?> listener = start(Several.class).of("called");

        assertThat(listener.options().mode()).isEqualTo(HandlerMode.EXTERNAL);
        assertThat(listener.concurrency()).isEqualTo(Concurrency.fixed(7));
    }

    @Configuration(proxyBeanMethods = false)
    static class InCommon {

        @QueueListener(queue = "all", containerFactory = "slow")
        void all(Order order) {}

        @QueueListener(queue = "own", containerFactory = "slow", timeout = "5s", concurrency = "1")
        void own(Order order) {}

        // snippet:defaults
        @Bean
        ListenerDefaults slow() {
            return ListenerDefaults.none()
                    .withConcurrency("${slow.workers:2-8}")
                    .withTimeout("90s")
                    .withTransactionSize("3");
        }
        // /snippet
    }

    @Test
    void takesEmptyAttributesFromTheContainerFactory() {
        Listener<?> all = start(InCommon.class).of("all");
        Listener<?> own = listeners.of("own");

        assertThat(all.concurrency()).isEqualTo(Concurrency.between(2, 8));
        assertThat(all.options().timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(own.concurrency()).isEqualTo(Concurrency.fixed(1));
        assertThat(own.options().timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(own.options().transactionSize()).isEqualTo(3);
    }

    static class Messages {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "q")
        void ship(Message<Order> message, @Header("note") Optional<String> note) {
            seen.add(message.getPayload());
            seen.add(message.getHeaders().get("region"));
            seen.add(note);
        }
    }

    @Test
    void passesPayloadAndHeadersAsAMessage() throws Exception {
        Listener<Object> listener = start(Messages.class).of("q");
        assertThat(listener.payloadType()).isEqualTo((Object) Order.class);

        listener.handler().handle(new Order(1), Arrived.with(Map.of("region", "EU")));

        assertThat(listeners.bean(Messages.class).seen).containsExactly(new Order(1), "EU", Optional.empty());
    }

    static class Batches {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "q", batch = "${shop.batch}")
        void ship(List<Delivery> deliveries, List<Order> orders, List<Message<Order>> messages) {
            seen.addAll(orders);
            deliveries.forEach(delivery -> seen.add(delivery.headers().get("n")));
            messages.forEach(message -> seen.add(message.getPayload()));
        }

        @QueueListener(queue = "outcomes", batch = "true", transactionSize = "5")
        List<Outcome> outcomes(List<Order> orders) {
            return List.of(Outcome.done());
        }
    }

    @Test
    void passesSeveralMessagesToABatchListener() throws Exception {
        Listener<Object> listener = start(Batches.class).of("q");
        Order one = new Order(1);
        Order two = new Order(2);

        List<Outcome> outcomes = together(listener)
                .handleAll(List.of(
                        new Item<>(one, Arrived.with(Map.of("n", "1"))),
                        new Item<>(two, Arrived.with(Map.of("n", "2")))));

        assertThat(outcomes).containsExactly(Outcome.done(), Outcome.done());
        assertThat(listeners.bean(Batches.class).seen).containsExactly(one, two, "1", "2", one, two);
        assertThat(listener.payloadType()).isEqualTo((Object) Order.class);
        assertThat(listener.options().transactionSize()).isEqualTo(20);
    }

    @Test
    void refusesABatchWithoutAnOutcomeForEach() {
        Listener<Object> listener = start(Batches.class).of("outcomes");
        Item<Object> item = new Item<>(new Order(1), Arrived.with(Map.of()));

        assertThatThrownBy(() -> together(listener).handleAll(List.of(item, item)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Batches.outcomes(List) of bean 'bean' returned 1 outcomes for 2 messages");
    }

    static class Conditional {

        final List<Order> seen = new ArrayList<>();

        @QueueListener(queue = "q", condition = "#payload.id > ${shop.least} and #headers['region'] == 'EU'")
        void ship(Order order) {
            seen.add(order);
        }

        @QueueListener(queue = "batch", batch = "true", condition = "id > 2")
        List<Outcome> all(List<Order> orders) {
            seen.addAll(orders);
            return orders.stream().map(o -> Outcome.dead("dead " + o.id())).toList();
        }
    }

    @Test
    void acknowledgesAMessageThatDoesNotMeetTheConditionWithoutACall() throws Exception {
        Listener<Object> listener = start(Conditional.class).of("q");

        for (String region : List.of("EU", "US")) {
            for (long id : List.of(1L, 11L)) {
                assertThat(listener.handler().handle(new Order(id), Arrived.with(Map.of("region", region))))
                        .isEqualTo(Outcome.done());
            }
        }

        assertThat(listeners.bean(Conditional.class).seen).containsExactly(new Order(11));
    }

    @Test
    void omitsMessagesOfABatchThatDoNotMeetTheCondition() throws Exception {
        Listener<Object> listener = start(Conditional.class).of("batch");
        List<Item<Object>> items = new ArrayList<>();
        for (long id : List.of(1L, 3L, 2L, 4L)) {
            items.add(new Item<>(new Order(id), Arrived.with(Map.of())));
        }

        assertThat(together(listener).handleAll(items))
                .containsExactly(Outcome.done(), Outcome.dead("dead 3"), Outcome.done(), Outcome.dead("dead 4"));
        assertThat(listeners.bean(Conditional.class).seen).containsExactly(new Order(3), new Order(4));
    }

    static class Checked {
        @QueueListener(queue = "plain")
        void plain(@Validated Order order) {}

        @QueueListener(queue = "marked")
        void marked(@Payload @Valid Order order, @Header(name = "x", defaultValue = "") String x) {}

        @QueueListener(queue = "message")
        void message(@Valid Message<Order> order) {}

        @QueueListener(queue = "inner")
        void inner(Message<@Valid Order> order) {}

        @QueueListener(queue = "batch", batch = "true")
        void batch(List<@Valid Order> orders) {}

        @QueueListener(queue = "list", batch = "true")
        void list(@Validated List<Order> orders) {}

        @QueueListener(queue = "messages", batch = "true")
        void messages(List<Message<@Valid Order>> orders) {}
    }

    /** Orders have positive numbers. */
    static class Positive implements Validator {

        @Override
        public boolean supports(Class<?> type) {
            return type == Order.class;
        }

        @Override
        public void validate(Object target, Errors errors) {
            if (((Order) target).id() <= 0) {
                errors.rejectValue("id", "positive", "must not be " + target);
            }
        }
    }

    /** One of the forms was validated, and the others were silently accepted. */
    @Test
    void validatesThePayloadInEveryForm() throws Exception {
        List<DeclaredListener> all = start(Checked.class, Positive.class).declared();
        assertThat(all).hasSize(7);
        for (DeclaredListener declared : all) {
            Listener<Object> listener = StartedListeners.untyped(declared.listener());
            listener.handler().handle(new Order(1), Arrived.with(Map.of()));
            assertThatThrownBy(() -> listener.handler().handle(new Order(0), Arrived.with(Map.of())))
                    .as(declared.queue())
                    .isInstanceOf(MethodArgumentNotValidException.class)
                    .hasToString(MethodArgumentNotValidException.class.getName()
                            + ": the payload is not valid: positive at id");
        }
    }

    /** A batch of one message does not distinguish a check of all messages from a check of the first. */
    @Test
    void validatesEveryMessageOfABatch() throws Exception {
        List<Item<Object>> items = new ArrayList<>();
        for (long id : List.of(1L, 0L)) {
            items.add(new Item<>(new Order(id), Arrived.with(Map.of())));
        }
        List<DeclaredListener> batches = start(Checked.class, Positive.class).declared().stream()
                .filter(declared -> List.of("batch", "list", "messages").contains(declared.queue()))
                .toList();
        assertThat(batches).hasSize(3);
        for (DeclaredListener declared : batches) {
            Listener<Object> listener = StartedListeners.untyped(declared.listener());
            together(listener).handleAll(items.subList(0, 1));
            assertThatThrownBy(() -> together(listener).handleAll(items))
                    .as(declared.queue())
                    .isInstanceOf(MethodArgumentNotValidException.class)
                    .hasMessageContaining("positive at id");
        }
    }

    @Test
    void refusesToStartWithoutAValidator() {
        assertThatThrownBy(() -> start(Checked.class))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Checked.")
                .hasMessageContaining("requires validation");
    }

    static class GenericMessage {
        @QueueListener(queue = "q")
        void ship(Message<?> message) {}
    }

    static class BatchOfOne {
        @QueueListener(queue = "q", batch = "true")
        void ship(Order order) {}
    }

    static class BatchOfLists {
        @QueueListener(queue = "q", batch = "true")
        void ship(List<Map<String, Order>> orders) {}
    }

    static class BatchWithHeader {
        @QueueListener(queue = "q", batch = "true")
        void ship(List<Order> orders, @Header("a") String a) {}
    }

    static class BatchReturns {
        @QueueListener(queue = "q", batch = "true")
        Outcome ship(List<Order> orders) {
            return Outcome.done();
        }
    }

    static class TwoOfOneId {
        @QueueListener(id = "same", queue = "a")
        void one(Order order) {}

        @QueueListener(id = "same", queue = "b")
        void two(Order order) {}
    }

    @Test
    void refusesWrongDeclarationsByBeanMethodAndFix() {
        assertRefused(GenericMessage.class, "GenericMessage.ship(Message)", "Message<Order>");
        assertRefused(BatchOfOne.class, "BatchOfOne.ship(Order)", "takes Order", "List");
        assertRefused(BatchOfLists.class, "BatchOfLists.ship(List)", "record");
        assertRefused(BatchWithHeader.class, "BatchWithHeader.ship(List, String)", "List<Delivery>");
        assertRefused(BatchReturns.class, "BatchReturns.ship(List)", "void or a List<Outcome>");
        assertRefused(TwoOfOneId.class, "TwoOfOneId.", "id 'same'");
    }

    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Async("mail")
    @interface InBackground {}

    static class AsyncMethod {
        @Async
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    @InBackground
    static class AsyncClass {
        @QueueListener(queue = "q", batch = "true")
        void ship(List<Order> order) {}
    }

    static class FutureMethod {
        @QueueListener(queue = "q")
        CompletableFuture<Void> ship(Order order) {
            return new CompletableFuture<>();
        }
    }

    /** Its messages were done before they were processed, and lost when the processing failed. */
    @Test
    void refusesAMethodThatAnotherThreadRuns() {
        assertRefused(AsyncMethod.class, "AsyncMethod.ship(Order)", "is asynchronous (@Async)", "Remove @Async");
        assertRefused(AsyncClass.class, "AsyncClass.ship(List)", "is asynchronous (@Async)");
        assertRefused(
                FutureMethod.class, "FutureMethod.ship(Order)", "returns CompletableFuture", "wait for it, and return");
    }

    @Target({ElementType.METHOD, ElementType.TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Caching(cacheable = @Cacheable("orders"), evict = @CacheEvict("stock"))
    @interface Remembered {}

    static class CachedMethod {
        @Cacheable("orders")
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    @Remembered
    static class CachedClass {
        @QueueListener(queue = "q", batch = "true")
        void ship(List<Order> order) {}
    }

    static class Locked {
        @SchedulerLock(name = "ship")
        @QueueListener(queue = "q", mode = "external")
        void ship(Order order) {}
    }

    static class WithFallback {
        @CircuitBreaker(name = "parcels", fallbackMethod = "later")
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    @SentinelResource(defaultFallback = "later")
    static class WithFallbackOfItsClass {
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    /** The message was done although the method had not been called. */
    @Test
    void refusesAMethodForWhichAdviceMayAnswerWithoutACall() {
        assertRefused(CachedMethod.class, "CachedMethod.ship(Order)", "is cached (@Cacheable)", "cache a method");
        assertRefused(CachedClass.class, "CachedClass.ship(List)", "is cached (@Cacheable)");
        assertRefused(Locked.class, "Locked.ship(Order)", "is locked (@SchedulerLock)");
        assertRefused(
                WithFallback.class, "WithFallback.ship(Order)", "@CircuitBreaker, fallbackMethod", "errorHandler");
        assertRefused(WithFallbackOfItsClass.class, "ship(Order)", "@SentinelResource, defaultFallback");
    }

    static class Repeated {
        @Retryable
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    /** The effects of the failed call and of the second one committed together. */
    @Test
    void refusesAMethodThatAdviceCallsAgainInTheSameTransaction() {
        assertRefused(Repeated.class, "Repeated.ship(Order)", "@Retryable calls the method again", "set retry on");
    }

    static class RightAdvice {
        @CachePut("orders")
        @CacheEvict("stock")
        @CircuitBreaker(name = "parcels")
        @QueueListener(queue = "q")
        void ship(Order order) {}

        @Retryable
        @QueueListener(queue = "external", mode = "external")
        void call(Order order) {}

        @Cacheable("orders")
        String find(int id) {
            return "";
        }
    }

    @Test
    void acceptsAdviceThatCallsTheMethodOrThrows() {
        assertThat(start(RightAdvice.class).declared()).hasSize(2);
    }

    static class NewTransaction {
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    static class NoTransaction {
        @QueueListener(queue = "q", batch = "true")
        void ship(List<Order> order) {}
    }

    static class NewTransactionOfJakarta {
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    /** Its effects committed without the message, and were there twice after a failure. */
    @Test
    void refusesAMethodThatLeavesTheTransactionOfTheMessage() {
        assertRefused(NewTransaction.class, "NewTransaction.ship(Order)", "REQUIRES_NEW", "mode = \"external\"");
        assertRefused(NoTransaction.class, "NoTransaction.ship(List)", "NOT_SUPPORTED");
        assertRefused(NewTransactionOfJakarta.class, "ship(Order)", "@Transactional(REQUIRES_NEW)");
    }

    static class Serializable {
        @Transactional(isolation = Isolation.SERIALIZABLE)
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    @Transactional(timeout = 5)
    static class Hurried {
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    /** Its transaction has begun before, so it ran at READ COMMITTED, and as long as it wanted. */
    @Test
    void refusesAttributesOfATransactionThatHaveNoEffect() {
        assertRefused(Serializable.class, "Serializable.ship(Order)", "isolation = SERIALIZABLE", "READ COMMITTED");
        assertRefused(Hurried.class, "Hurried.ship(Order)", "timeout", "set timeout on @QueueListener");
    }

    @Transactional(readOnly = true, isolation = Isolation.READ_COMMITTED)
    static class WithoutHarm {
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    @Test
    void acceptsOtherAttributesOfATransaction() {
        assertThat(start(WithoutHarm.class).declared()).hasSize(1);
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW, isolation = Isolation.SERIALIZABLE, timeout = 5)
    static class ExternalListener {
        @QueueListener(queue = "q", mode = "external")
        void ship(Order order) {}
    }

    @Test
    void acceptsATransactionOfItsOwnInExternalMode() {
        assertThat(start(ExternalListener.class).declared()).hasSize(1);
    }

    @Scope(scopeName = "request", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class OfARequest {
        @QueueListener(queue = "q")
        void ship(Order order) {}
    }

    static class Alone {
        @QueueListener(queue = "other")
        void ship(Order order) {}
    }

    /** Each call failed, because no request was on the worker's thread. */
    @Test
    void refusesABeanThatExistsOnlyDuringARequest() {
        assertThatThrownBy(() -> start(Alone.class, OfARequest.class))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("OfARequest.ship(Order)", "scope 'request'", "move the method to a singleton");
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Elsewhere {}

    static class OtherAnnotation {
        @Elsewhere
        @QueueListener(queue = "q")
        void ship(Order order) {}

        @QueueListener(queue = "other")
        void other(Order order) {}
    }

    static class OnlyTheOther {
        @Elsewhere
        void report() {}

        @QueueListener(queue = "other")
        void other(Order order) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class CachingByName {

        @Bean
        static BeanFactoryCacheOperationSourceAdvisor advisor() {
            NameMatchCacheOperationSource names = new NameMatchCacheOperationSource();
            CacheableOperation.Builder cacheable = new CacheableOperation.Builder();
            cacheable.setCacheName("orders");
            names.setNameMap(Map.of("ship", List.of(cacheable.build())));
            CacheInterceptor interceptor = new CacheInterceptor();
            interceptor.setCacheOperationSource(names);
            interceptor.setCacheManager(new ConcurrentMapCacheManager());
            BeanFactoryCacheOperationSourceAdvisor advisor = new BeanFactoryCacheOperationSourceAdvisor();
            advisor.setCacheOperationSource(names);
            advisor.setAdvice(interceptor);
            return advisor;
        }

        @Bean
        static DefaultAdvisorAutoProxyCreator proxies() {
            DefaultAdvisorAutoProxyCreator proxies = new DefaultAdvisorAutoProxyCreator();
            proxies.setProxyTargetClass(true);
            return proxies;
        }
    }

    @Test
    void refusesAMethodThatAProxyCachesWithoutAnAnnotation() {
        assertThatThrownBy(() -> start(OtherAnnotation.class, CachingByName.class))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("OtherAnnotation.ship(Order) of bean 'bean'", "is cached");
    }

    @EnableAsync(annotation = Elsewhere.class, proxyTargetClass = true)
    static class Asynchronous {}

    @Test
    void refusesAMethodThatAProxyRunsOnAnotherThreadBecauseOfAnotherAnnotation() {
        assertThatThrownBy(() -> start(OtherAnnotation.class, Asynchronous.class))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll("OtherAnnotation.ship(Order) of bean 'bean'", "is asynchronous");
    }

    @Test
    void acceptsAMethodBesideAnAsynchronousOne() {
        assertThat(start(OnlyTheOther.class, Asynchronous.class).declared()).hasSize(1);
    }

    static class Maps {
        @QueueListener(queue = "one")
        void ship(Map<String, Object> order) {}

        @QueueListener(queue = "many", batch = "true")
        void ship(List<Map<String, Object>> orders) {}
    }

    static class MapOfOrders {
        @QueueListener(queue = "q")
        void ship(Map<String, Order> orders) {}
    }

    @Test
    void takesAMapWithValuesOfAnyTypeAndNoOther() {
        StartedListeners started = start(Maps.class);

        assertThat(started.of("one").payloadType()).isEqualTo(Map.class);
        assertThat(started.of("many").payloadType()).isEqualTo(Map.class);
        assertRefused(MapOfOrders.class, "MapOfOrders.ship(Map)", "Map<String, Object>");
    }

    private void assertRefused(Class<?> bean, String... words) {
        assertThatThrownBy(() -> start(bean))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("bean 'bean'")
                .hasMessageContainingAll(words);
    }

    private StartedListeners start(Class<?> bean, Class<?>... others) {
        listeners = new StartedListeners(bean, others);
        return listeners;
    }

    private static BatchHandlerAdapter<Object> together(Listener<Object> listener) {
        return (BatchHandlerAdapter<Object>) listener.handler();
    }
}
