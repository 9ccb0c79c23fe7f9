package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
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
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.MapPropertySource;
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

    private AnnotationConfigApplicationContext context;

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
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
        assertThat(context.getBean(Arguments.class).seen)
                .containsExactly(3, delivery, new Order(1), delivery.headers(), null, "fallback");
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
    void readsThePayloadAsItsParameter() {
        assertThat(start(Marked.class).stream().<Object>map(Listener::payloadType))
                .containsExactlyInAnyOrder(Order.class, Long.class);
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
    void letsFailuresThroughAsTheyWereThrown() {
        for (Listener<?> listener : start(Fails.class)) {
            assertThatThrownBy(() -> untyped(listener).handler().handle(new Order(1), Arrived.with(Map.of())))
                    .hasMessage(listener.queue())
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
    void unwrapsWhatAProxyWraps() {
        for (Listener<?> listener : start(Proxied.class)) {
            assertThatThrownBy(() -> untyped(listener).handler().handle(new Order(1), Arrived.with(Map.of())))
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
        context = new AnnotationConfigApplicationContext();
        List<String> calls = new ArrayList<>();
        context.registerBean("shipping", Ships.class, () -> proxy(new Shipping(), calls));
        context.refresh();

        Listener<?> listener = factory().declared().get(0).listener();
        untyped(listener).handler().handle(new Order(1), Arrived.with(Map.of()));

        assertThat(calls).containsExactly("ship");
    }

    @Test
    void refusesAMethodThatItsProxyHides() {
        context = new AnnotationConfigApplicationContext();
        context.registerBean("shipping", Ships.class, () -> proxy(new HiddenShipping(), new ArrayList<>()));
        context.refresh();
        ListenerFactory factory = factory();
        factory.declared();

        assertThatThrownBy(factory::prepare)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("HiddenShipping.other(Order) of bean 'shipping'");
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

    /** It ran on the proxy, an object without a constructor call, and every field that it read was null. */
    @Test
    void refusesAFinalMethodBehindAProxyOfItsClass() {
        start(FinalBehindProxy.class);
        ListenerFactory factory = factory();
        factory.declared();

        assertThatThrownBy(factory::prepare)
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("FinalMethod.ship(Order) of bean 'shipping'")
                .hasMessageEndingWith(": remove final from the method");
    }

    @Test
    void takesAFinalMethodOfABeanWithoutProxy() {
        start(FinalMethod.class);
        ListenerFactory factory = factory();
        assertThat(factory.declared()).hasSize(1);

        factory.prepare();
    }

    private static Ships proxy(Ships target, List<String> calls) {
        ProxyFactory proxy = new ProxyFactory(target);
        proxy.addAdvice((MethodInterceptor) call -> {
            calls.add(call.getMethod().getName());
            return call.proceed();
        });
        return (Ships) proxy.getProxy();
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
    void findsLazyBeansAndAsksForThemOnlyWhenNeeded() throws Exception {
        LazyBeans.CREATED.clear();
        List<Listener<?>> listeners = start(LazyBeans.class);
        assertThat(LazyBeans.CREATED).isEmpty();

        untyped(listeners.get(0)).handler().handle(new Order(1), Arrived.with(Map.of()));

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
    void takesPlaceholdersAndExpressions() {
        start(Configured.class);
        Listener<?> listener = factory().declared().stream()
                .filter(DeclaredListener::autoStartup)
                .findFirst()
                .orElseThrow()
                .listener();

        assertThat(listener.queue()).isEqualTo("orders");
        assertThat(listener.concurrency()).isEqualTo(Concurrency.between(8, 16));
        assertThat(listener.retry().given().maxAttempts()).isEqualTo(99);
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
    void takesThePolicyNamedDefaultForListenersThatNameNone() {
        assertThat(start(WithDefault.class).get(0).retry().given().maxAttempts())
                .isEqualTo(77);
    }

    static class RunAsConfigured {
        @QueueListener(queue = "q", timeout = "${run.timeout:90s}", transactionSize = "#{5 * 2}")
        void ship(Order order) {}
    }

    @Test
    void readsHowMessagesAreRunFromPlaceholdersAndExpressions() {
        assertThat(start(RunAsConfigured.class).get(0).options())
                .isEqualTo(HandlerOptions.defaults()
                        .withTransactionSize(10)
                        .withTimeout(Duration.ofSeconds(90), Duration.ofSeconds(2)));
    }

    @Test
    void knowsListenersThatAreNotToStart() {
        start(Configured.class);
        assertThat(factory().declared())
                .filteredOn(declared -> !declared.autoStartup())
                .extracting(DeclaredListener::queue)
                .containsExactly("not.served");
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
    void letsCustomizersHaveTheLastWord() {
        assertThat(start(Customized.class).get(0).concurrency()).isEqualTo(Concurrency.fixed(11));
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
        String ship(Order order) {
            return "";
        }
    }

    static class UnknownRetry {
        @QueueListener(queue = "q", retry = "patient")
        void ship(Order order) {}
    }

    static class TurnedRange {
        @QueueListener(queue = "q", concurrency = "16-2")
        void ship(Order order) {}
    }

    static class NotANumber {
        @QueueListener(queue = "q", concurrency = "many")
        void ship(Order order) {}
    }

    static class NotABoolean {
        @QueueListener(queue = "q", autoStartup = "maybe")
        void ship(Order order) {}
    }

    static class NoQueue {
        @QueueListener(queue = "")
        void ship(Order order) {}
    }

    static class BadQueue {
        @QueueListener(queue = "orders/new")
        void ship(Order order) {}
    }

    static class NoWorkers {
        @QueueListener(queue = "q", concurrency = "0")
        void ship(Order order) {}
    }

    static class UnknownMode {
        @QueueListener(queue = "q", mode = "fast")
        void ship(Order order) {}
    }

    static class NoDuration {
        @QueueListener(queue = "q", timeout = "soon")
        void ship(Order order) {}
    }

    static class ExternalTogether {
        @QueueListener(queue = "q", mode = "external", transactionSize = "5")
        void ship(Order order) {}
    }

    @Test
    void refusesWrongDeclarationsByBeanMethodAndFix() {
        assertRefused(TwoOfOneQueue.class, "TwoOfOneQueue.one(Order)", "TwoOfOneQueue.two(Order)", "two listeners");
        assertRefused(NoPayload.class, "NoPayload.ship(Delivery)", "no parameter for the payload");
        assertRefused(TwoPayloads.class, "TwoPayloads.ship(Order, String)", "@Payload");
        assertRefused(GenericPayload.class, "GenericPayload.ship(List)", "record");
        assertRefused(PayloadExpression.class, "PayloadExpression.ship(long)", "expression");
        assertRefused(WrongHeaders.class, "WrongHeaders.ship", "Map<String, String>");
        assertRefused(WrongReturn.class, "WrongReturn.ship(Order)", "void or an Outcome");
        assertRefused(UnknownRetry.class, "UnknownRetry.ship(Order)", "'patient'", "none");
        assertRefused(
                TurnedRange.class,
                "TurnedRange.ship(Order)",
                "the minimum of workers must be 1 to the maximum, 2, was 16");
        assertRefused(NotANumber.class, "NotANumber.ship(Order)", "'many'");
        assertRefused(NoQueue.class, "@QueueListener on", "NoQueue.ship(Order)", "queue name '' is not allowed");
        assertRefused(BadQueue.class, "@QueueListener on", "BadQueue.ship(Order)", "'orders/new'");
        assertRefused(NoWorkers.class, "@QueueListener on", "NoWorkers.ship(Order)", "1 to 1000, was 0");
        assertRefused(UnknownMode.class, "UnknownMode.ship(Order)", "'fast'", "transactional or external");
        assertRefused(NoDuration.class, "NoDuration.ship(Order)", "'soon'", "30s");
        assertRefused(
                ExternalTogether.class, "ExternalTogether.ship(Order)", "transactionSize must be 1 in external mode");
        assertRefused(NotABoolean.class, "NotABoolean.ship(Order)", "'maybe'");
    }

    private void assertRefused(Class<?> bean, String... words) {
        assertThatThrownBy(() -> start(bean))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("bean 'bean'")
                .hasMessageContainingAll(words);
    }

    private List<Listener<?>> start(Class<?> bean) {
        context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("shop.queue", "orders", "shop.default", "fallback")));
        context.registerBean("bean", bean);
        context.refresh();
        return factory().declared().stream()
                .<Listener<?>>map(DeclaredListener::listener)
                .toList();
    }

    private ListenerFactory factory() {
        return new ListenerFactory(context.getBeanFactory(), TestEngines.of(context.getBeanFactory()));
    }

    private Listener<Object> only(Class<?> bean) {
        return untyped(start(bean).get(0));
    }

    @SuppressWarnings("unchecked")
    private static Listener<Object> untyped(Listener<?> listener) {
        return (Listener<Object>) listener;
    }
}
