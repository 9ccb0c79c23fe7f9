package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.HandlerOptions;
import io.acidq.config.Listener;
import io.acidq.resilience.RetryPolicy;
import io.acidq.spring.ListenerCustomizer;
import io.acidq.spring.QueueListener;
import io.acidq.spring.config.TestEngines;
import io.acidq.spring.listener.ListenerFactory.DeclaredListener;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;

class ListenerTest {

    record Order(long id) {}

    record Arrived(
            MessageId id,
            Optional<String> key,
            Optional<String> orderingKey,
            Map<String, String> headers,
            int attempt,
            int crashes,
            int claimNo,
            int node,
            Instant enqueuedAt,
            Instant dueAt)
            implements Delivery {

        @Override
        public boolean stillMine() {
            return true;
        }

        static Delivery with(Map<String, String> headers) {
            return new Arrived(
                    new MessageId("q", 0, UUID.randomUUID()),
                    Optional.empty(),
                    Optional.empty(),
                    headers,
                    1,
                    0,
                    1,
                    1,
                    Instant.EPOCH,
                    Instant.EPOCH);
        }
    }

    private StartedListeners listeners;

    @AfterEach
    void close() {
        if (listeners != null) {
            listeners.close();
        }
    }

    static class Arguments {

        final List<Object> seen = new ArrayList<>();

        @QueueListener(queue = "q")
        void all(
                @Header("count") int count,
                Delivery delivery,
                Order order,
                @Headers Map<String, String> headers,
                @Header(name = "absent", required = false) String absent,
                @Header(name = "other", defaultValue = "${shop.default}") String other) {
            seen.addAll(java.util.Arrays.asList(count, delivery, order, headers, absent, other));
        }
    }

    @Test
    void passesArgumentsInAnyOrder() throws Exception {
        Listener<Object> listener = only(Arguments.class);
        Delivery delivery = Arrived.with(Map.of("count", "3", "id", "mine"));

        Outcome outcome = listener.handler().handle(new Order(1), delivery);

        assertThat(outcome).isEqualTo(Outcome.done());
        assertThat(listeners.bean(Arguments.class).seen)
                .containsExactly(3, delivery, new Order(1), delivery.headers(), null, "any");
    }

    @Test
    void refusesAMessageWithoutARequiredHeader() {
        Listener<Object> listener = only(Arguments.class);

        assertThatThrownBy(() -> listener.handler().handle(new Order(1), Arrived.with(Map.of())))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("'count'")
                .hasMessageContaining("required = false");
    }

    static class Marked {
        @QueueListener(queue = "q")
        void two(@Payload Order order, @Header("note") String note) {}

        @QueueListener(queue = "primitive")
        void primitive(long number) {}
    }

    @Test
    void decodesThePayloadAsTheTypeOfItsParameter() {
        assertThat(start(Marked.class).of("q").payloadType()).isEqualTo((Object) Order.class);
        assertThat(listeners.of("primitive").payloadType()).isEqualTo((Object) Long.class);
    }

    static class Answers {
        @QueueListener(queue = "q")
        Outcome answer(Order order) {
            return order.id() == 0 ? null : Outcome.dead("no " + order.id());
        }
    }

    @Test
    void returnsTheOutcomeOfTheMethod() throws Exception {
        Outcome outcome = only(Answers.class).handler().handle(new Order(5), Arrived.with(Map.of()));

        assertThat(outcome).isEqualTo(Outcome.dead("no 5"));
    }

    @Test
    void refusesANullOutcome() {
        Listener<Object> listener = only(Answers.class);

        assertThatThrownBy(() -> listener.handler().handle(new Order(0), Arrived.with(Map.of())))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("Answers.answer(Order) of bean 'bean'");
    }

    static class Fails {
        @QueueListener(queue = "checked")
        void checked(Order order) throws IOException {
            throw new IOException("checked");
        }

        @QueueListener(queue = "unchecked")
        void unchecked(Order order) {
            throw new IllegalArgumentException("unchecked");
        }

        @QueueListener(queue = "error")
        void error(Order order) {
            throw new AssertionError("error");
        }
    }

    @Test
    void rethrowsFailuresUnchanged() {
        for (DeclaredListener each : start(Fails.class).declared()) {
            assertThatThrownBy(() -> StartedListeners.untyped(each.listener())
                            .handler()
                            .handle(new Order(1), Arrived.with(Map.of())))
                    .hasMessage(each.queue())
                    .hasNoCause();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxied {
        @Bean
        Fails fails() {
            ProxyFactory proxy = new ProxyFactory(new Fails());
            proxy.setProxyTargetClass(true);
            proxy.addAdvice((MethodInterceptor) call -> {
                throw new IOException("from the proxy"); // not declared by "unchecked": the proxy wraps it
            });
            return (Fails) proxy.getProxy();
        }
    }

    @Test
    void unwrapsTheExceptionThatAProxyWraps() {
        for (DeclaredListener each : start(Proxied.class).declared()) {
            assertThatThrownBy(() -> StartedListeners.untyped(each.listener())
                            .handler()
                            .handle(new Order(1), Arrived.with(Map.of())))
                    .isInstanceOf(IOException.class)
                    .hasMessage("from the proxy");
        }
    }

    interface Ships {
        void ship(Order order);
    }

    static class Shipping implements Ships {
        @Override
        @QueueListener(queue = "q")
        public void ship(Order order) {}
    }

    static class HiddenShipping implements Ships {
        @Override
        public void ship(Order order) {}

        @QueueListener(queue = "q")
        public void other(Order order) {}
    }

    @Test
    void findsMethodsBehindInterfaceProxies() throws Exception {
        List<String> calls = new ArrayList<>();
        listeners = startProxied(new Shipping(), calls);

        listeners.of("q").handler().handle(new Order(1), Arrived.with(Map.of()));

        assertThat(calls).containsExactly("ship");
    }

    @Test
    void refusesAMethodThatItsProxyHides() {
        assertThatThrownBy(() -> startProxied(new HiddenShipping(), new ArrayList<>()))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("HiddenShipping.other(Order) of bean 'shipping'");
    }

    private static StartedListeners startProxied(Ships target, List<String> calls) {
        ProxyFactory proxy = new ProxyFactory(target);
        proxy.addAdvice((MethodInterceptor) call -> {
            calls.add(call.getMethod().getName());
            return call.proceed();
        });
        return new StartedListeners(
                Object.class,
                Map.of(),
                context -> context.registerBean("shipping", Ships.class, () -> (Ships) proxy.getProxy()));
    }

    static class FinalMethod {
        @QueueListener(queue = "q")
        final void ship(Order order) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class FinalBehindProxy {
        @Bean
        FinalMethod shipping() {
            ProxyFactory proxy = new ProxyFactory(new FinalMethod());
            proxy.setProxyTargetClass(true);
            proxy.addAdvice((MethodInterceptor) call -> call.proceed());
            return (FinalMethod) proxy.getProxy();
        }
    }

    /** The method ran on the proxy, an object created without a constructor call, whose fields are null. */
    @Test
    void refusesAFinalMethodBehindAProxyOfItsClass() {
        assertThatThrownBy(() -> start(FinalBehindProxy.class))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("FinalMethod.ship(Order) of bean 'shipping'")
                .hasMessageEndingWith(": remove final from the method");
    }

    @Test
    void acceptsAFinalMethodOfABeanWithoutProxy() {
        assertThat(start(FinalMethod.class).declared()).hasSize(1);
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyBeans {

        static final List<String> CREATED = new ArrayList<>();

        @Bean
        @Lazy
        Answers lazyAnswers() {
            CREATED.add("answers");
            return new Answers();
        }
    }

    @Test
    void findsListenersOfLazyBeansWithoutCreatingThem() throws Exception {
        LazyBeans.CREATED.clear();
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(LazyBeans.class)) {
            Listener<?> listener = new ListenerFactory(
                            context.getBeanFactory(), TestEngines.of(context.getBeanFactory()))
                    .declared()
                    .get(0)
                    .listener();
            assertThat(LazyBeans.CREATED).isEmpty();

            StartedListeners.untyped(listener).handler().handle(new Order(1), Arrived.with(Map.of()));
        }
        assertThat(LazyBeans.CREATED).containsExactly("answers");
    }

    @Configuration(proxyBeanMethods = false)
    static class Configured {

        @QueueListener(
                queue = "${shop.queue}",
                concurrency = "#{2 * 4} - 16",
                retry = "patient",
                autoStartup = "${shop.start:true}")
        void ship(Order order) {}

        @QueueListener(queue = "not.served", autoStartup = "false")
        void notServed(Order order) {}

        @Bean
        RetryPolicy patient() {
            return RetryPolicy.defaults().withMaxAttempts(99);
        }
    }

    @Test
    void evaluatesPlaceholdersAndExpressions() {
        Listener<?> listener = start(Configured.class).of("orders");

        assertThat(listener.concurrency()).isEqualTo(Concurrency.between(8, 16));
        assertThat(listener.retry().given().maxAttempts()).isEqualTo(99);
        assertThat(listeners.declared())
                .extracting(DeclaredListener::queue, DeclaredListener::autoStartup)
                .containsExactlyInAnyOrder(tuple("orders", true), tuple("not.served", false));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithDefault {

        @QueueListener(queue = "q")
        void ship(Order order) {}

        @Bean("default")
        RetryPolicy policy() {
            return RetryPolicy.defaults().withMaxAttempts(77);
        }
    }

    @Test
    void usesThePolicyNamedDefaultForListenersThatNameNone() {
        assertThat(only(WithDefault.class).retry().given().maxAttempts()).isEqualTo(77);
    }

    static class RunAsConfigured {
        @QueueListener(queue = "q", timeout = "${run.timeout:90s}", transactionSize = "#{5 * 2}")
        void ship(Order order) {}
    }

    @Test
    void readsTheOptionsOfRunsFromPlaceholdersAndExpressions() {
        assertThat(only(RunAsConfigured.class).options())
                .isEqualTo(HandlerOptions.defaults()
                        .withTransactionSize(10)
                        .withTimeout(Duration.ofSeconds(90), Duration.ofSeconds(2)));
    }

    @Configuration(proxyBeanMethods = false)
    static class Customized {

        @QueueListener(queue = "q")
        void ship(Order order) {}

        @Bean
        ListenerCustomizer more() {
            return new ListenerCustomizer() {
                @Override
                public <T> Listener<T> customize(Listener<T> listener) {
                    return listener.withConcurrency(11);
                }
            };
        }
    }

    @Test
    void appliesCustomizersLast() {
        assertThat(only(Customized.class).concurrency()).isEqualTo(Concurrency.fixed(11));
    }

    static class TwoOfOneQueue {
        @QueueListener(queue = "q")
        void one(Order order) {}

        @QueueListener(queue = "q")
        void two(Order order) {}
    }

    static class NoPayload {
        @QueueListener(queue = "q")
        void ship(Delivery delivery) {}
    }

    static class TwoPayloads {
        @QueueListener(queue = "q")
        void ship(Order order, String other) {}
    }

    static class GenericPayload {
        @QueueListener(queue = "q")
        void ship(List<Order> orders) {}
    }

    static class PayloadExpression {
        @QueueListener(queue = "q")
        void ship(@Payload("id") long id) {}
    }

    static class WrongHeaders {
        @QueueListener(queue = "q")
        void ship(Order order, @Headers Delivery headers) {}
    }

    static class WrongReturn {
        @QueueListener(queue = "q")
        CompletableFuture<String> ship(Order order) {
            return new CompletableFuture<>();
        }
    }

    static class Priced {
        @QueueListener(queue = "q")
        Long price(Order order) {
            return order.id() == 0 ? null : order.id() * 10L;
        }
    }

    @Test
    void returnsTheResultOfTheMethod() throws Exception {
        Handler<Object> handler = only(Priced.class).handler();
        assertThat(handler.handle(new Order(5), Arrived.with(Map.of()))).isEqualTo(Outcome.done(50L));
        assertThat(handler.handle(new Order(0), Arrived.with(Map.of()))).isEqualTo(Outcome.done());
    }

    @Test
    void refusesWrongDeclarationsByBeanMethodAndFix() {
        assertRefused(TwoOfOneQueue.class, "TwoOfOneQueue.one(Order)", "TwoOfOneQueue.two(Order)", "two listeners");
        assertRefused(NoPayload.class, "NoPayload.ship(Delivery)", "no parameter for the payload");
        assertRefused(TwoPayloads.class, "TwoPayloads.ship(Order, String)", "@Payload");
        assertRefused(GenericPayload.class, "GenericPayload.ship(List)", "record");
        assertRefused(PayloadExpression.class, "PayloadExpression.ship(long)", "expression");
        assertRefused(WrongHeaders.class, "WrongHeaders.ship", "Map<String, String>");
        assertRefused(WrongReturn.class, "WrongReturn.ship(Order)", "CompletableFuture", "wait for it");
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

    private Listener<Object> only(Class<?> bean) {
        return StartedListeners.untyped(start(bean).declared().get(0).listener());
    }
}
