package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.acidq.DeadHeadPolicy;
import io.acidq.Inbox;
import io.acidq.MessageQueue;
import io.acidq.OnDuplicate;
import io.acidq.QueueMisuseException;
import io.acidq.admin.AuditLog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.QueueControl;
import io.acidq.codec.Codec;
import io.acidq.codec.UndecodableException;
import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.HistoryOptions;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.config.Retention;
import io.acidq.engine.Engine;
import io.acidq.resilience.Backoff;
import io.acidq.resilience.Breaker;
import io.acidq.resilience.Bulkhead;
import io.acidq.resilience.GuardState;
import io.acidq.resilience.RateLimit;
import io.acidq.resilience.RetryPolicy;
import io.acidq.resilience.RetryRule;
import io.acidq.spring.ListenerCustomizer;
import io.acidq.spring.Publish;
import io.acidq.spring.PublishedTo;
import io.acidq.spring.QueueListener;
import io.acidq.spring.transaction.SpringTransactions;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ServerStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class AcidqAutoConfigurationTest {

    record Order(long orderNumber) {}

    record Customer(String surname) {}

    static class Orders {

        private final JdbcTemplate jdbc;

        Orders(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE orders (id BIGINT)");
        }

        @Transactional
        @Publish(queue = "order.placed", key = "#result.orderNumber")
        public Order place(long id) {
            jdbc.update("INSERT INTO orders VALUES (?)", id);
            return new Order(id);
        }
    }

    static class Shipping {

        final List<Order> shipped = new CopyOnWriteArrayList<>();

        @QueueListener(queue = "order.placed", retry = "${shop.retry:}")
        void ship(Order order) {
            shipped.add(order);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {

        @Bean
        Orders orders(JdbcTemplate jdbc) {
            return new Orders(jdbc);
        }

        @Bean
        Shipping shipping() {
            return new Shipping();
        }
    }

    private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    DataSourceInitializationAutoConfiguration.class,
                    JdbcTemplateAutoConfiguration.class,
                    AcidqStoreAutoConfiguration.class,
                    AcidqAutoConfiguration.class,
                    AcidqAbsentAutoConfiguration.class));

    private final ApplicationContextRunner runner = withoutDatabase
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + h2Url());

    @Test
    void carriesAMessageOnH2() {
        runner.withUserConfiguration(Shop.class).run(context -> {
            context.getBean(Orders.class).place(7);

            await().untilAsserted(() ->
                    assertThat(context.getBean(Shipping.class).shipped).containsExactly(new Order(7)));
        });
    }

    @Test
    void carriesAMessageOverALazyDataSource() {
        runner.withUserConfiguration(Shop.class)
                .withBean("lazy", DataSource.class, () -> new LazyConnectionDataSourceProxy(h2()))
                .run(context -> {
                    assertThat(context).hasSingleBean(DataSource.class);
                    context.getBean(Orders.class).place(7);

                    await().untilAsserted(() ->
                            assertThat(context.getBean(Shipping.class).shipped).containsExactly(new Order(7)));
                });
    }

    /** Enqueues during the start of the context. */
    static class Eager {

        Eager(MessageQueue queue, PlatformTransactionManager manager) {
            new TransactionTemplate(manager)
                    .executeWithoutResult(status -> queue.enqueue("order.placed", new Order(1)));
        }
    }

    @Test
    void carriesAMessageThatIsEnqueuedBeforeAllListenersExist() {
        runner.withBean(Eager.class)
                .withBean(Shipping.class)
                .run(context -> await().untilAsserted(() ->
                        assertThat(context.getBean(Shipping.class).shipped).containsExactly(new Order(1))));
    }

    interface Ships {

        List<Order> shipped();
    }

    @Configuration(proxyBeanMethods = false)
    static class HiddenShipping {

        @Bean
        Ships ships() {
            return new Ships() {
                private final List<Order> shipped = new CopyOnWriteArrayList<>();

                @QueueListener(queue = "order.placed")
                void ship(Order order) {
                    shipped.add(order);
                }

                @Override
                public List<Order> shipped() {
                    return shipped;
                }
            };
        }
    }

    /** The listener was missing without a word. */
    @Test
    void findsTheListenerOfABeanMethodThatDeclaresAnInterfaceAlsoWithLazyInitialization() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Orders.class)
                .withUserConfiguration(HiddenShipping.class)
                .run(context -> {
                    context.getBean(Orders.class).place(7);

                    await().untilAsserted(() ->
                            assertThat(context.getBean(Ships.class).shipped()).containsExactly(new Order(7)));
                });
    }

    @Test
    void refusesAListenerInAChildContext() {
        runner.run(parent -> new ApplicationContextRunner()
                .withParent(parent)
                .withBean(Shipping.class)
                .run(child -> assertThat(child.getStartupFailure())
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageContainingAll("Shipping.ship(Order)", "never be called")));
    }

    @Test
    void runsWorkOnceOnH2() {
        runner.run(context -> {
            Inbox inbox = context.getBean(Inbox.class);
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            List<String> results = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 2; i++) {
                transaction.executeWithoutResult(status ->
                        inbox.withRetention(Duration.ofHours(1)).once("consumer", "key", () -> results.add("ran")));
            }
            assertThat(results).containsExactly("ran");
        });
    }

    /** A part of the engine that uses the queue. */
    static class QueueingTelemetry implements Telemetry, ListenerCustomizer {

        QueueingTelemetry(MessageQueue queue, DeadLetters deadLetters, BlockedKeys blocked, AuditLog audit) {}

        @Override
        public <T> Listener<T> customize(Listener<T> listener) {
            return listener;
        }
    }

    @Test
    void allowsPartsOfTheEngineToUseTheQueue() {
        runner.withBean(QueueingTelemetry.class)
                .withBean(Shipping.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void exposesNothingOfMyBatis() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(Store.class).hasSingleBean(Engine.class);
            assertThat(context.getBeanNamesForType(Object.class))
                    .noneMatch(name -> String.valueOf(context.getType(name)).contains("ibatis"))
                    .noneMatch(name -> String.valueOf(context.getType(name)).contains("mybatis.spring"));
        });
    }

    @Test
    void isNotActiveWithoutADataSourceOrWhenDisabled() {
        for (ApplicationContextRunner inactive :
                List.of(withoutDatabase, runner.withPropertyValues("acidq.enabled=false"))) {
            inactive.run(context -> assertThat(context)
                    .hasNotFailed()
                    .doesNotHaveBean(MessageQueue.class)
                    .doesNotHaveBean(Store.class));
        }
    }

    static class Publishes {
        @Publish(queue = "q")
        public String publish() {
            return "x";
        }
    }

    @Test
    void refusesAnnotationsThatHaveNoEffect() {
        withoutDatabase
                .withBean(Publishes.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageContaining("@Publish")
                        .hasMessageContaining("no database"));
        withoutDatabase
                .withBean(Shipping.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageContaining("@QueueListener"));
    }

    @PublishedTo(queue = "q")
    record Marked(long id) {}

    @Test
    void refusesEventsThatCannotBePublished() {
        withoutDatabase.run(context -> assertThatThrownBy(() -> context.publishEvent(new Marked(1)))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("no database"));
        withoutDatabase.withPropertyValues("acidq.enabled=false").run(context -> context.publishEvent(new Marked(1)));
    }

    @Test
    void refusesAnnotationsWithTwoDataSources() {
        withoutDatabase
                .withBean("one", DataSource.class, AcidqAutoConfigurationTest::h2)
                .withBean("two", DataSource.class, AcidqAutoConfigurationTest::h2)
                .withBean(Publishes.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageContaining("@Primary"));
    }

    /** Returns a bean whose methods return nothing, so a server store finds all tables. */
    private static <T> T own(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> switch (method.getName()) {
                    case "equals" -> proxy == args[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> null;
                }));
    }

    @Test
    void startsOverAStoreOfTheApplication() {
        Store store = new Store(
                null, null, null, null, null, null, null, null, null, null, null, null, null, own(ServerStore.class));
        withoutDatabase
                .withBean("store", Store.class, () -> store)
                .withBean(Codec.class, io.acidq.codec.JacksonCodec::new)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Store.class)
                        .doesNotHaveBean(Transactions.class));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                MessageQueue.class,
                DeadLetters.class,
                BlockedKeys.class,
                QueueControl.class,
                AuditLog.class,
                Inbox.class
            })
    <T> void prefersEachBeanOfTheApplication(Class<T> type) {
        runner.withBean("own", type, () -> own(type)).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanProvider(type).getObject()).isSameAs(context.getBean("own"));
        });
    }

    @Test
    void prefersTheTransactionsCodecAndConfigOfTheApplication() {
        runner.withBean("own", Codec.class, io.acidq.codec.JacksonCodec::new)
                .withBean(
                        "mine",
                        EngineConfig.class,
                        () -> EngineConfig.defaults().withMaxCrashes(9))
                .withUserConfiguration(OwnTransactions.class)
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(Codec.class)
                            .hasSingleBean(EngineConfig.class)
                            .hasSingleBean(Transactions.class);
                    assertThat(context.getBean(Store.class).transactions())
                            .isSameAs(context.getBean("ownTransactions"));
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTransactions {
        @Bean
        Transactions ownTransactions(PlatformTransactionManager manager, DataSource dataSource) {
            return new SpringTransactions(manager, dataSource, false);
        }
    }

    @Test
    void prefersAnEngineOfTheApplication() {
        runner.withUserConfiguration(OwnEngine.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanProvider(Engine.class).getObject()).isSameAs(context.getBean("ownEngine"));
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEngine {
        @Bean
        Engine ownEngine(Store store) {
            return Engine.builder(store).build();
        }
    }

    @Test
    void usesTheDefaultsOfTheEngine() {
        runner.run(context -> {
            assertThat(context.getBean(EngineConfig.class)).isEqualTo(EngineConfig.defaults());
            assertThat(context.getBean(AcidqProperties.class).detectLostTransaction())
                    .isTrue();
        });
        runner.withPropertyValues("acidq.retry.plain.max-attempts="
                        + RetryPolicy.defaults().maxAttempts())
                .run(context -> assertThat(context.getBean(RetryPolicy.class)).isEqualTo(RetryPolicy.defaults()));
    }

    @Test
    void readsTheSettingsOfTheEngineFromProperties() {
        runner.withPropertyValues(
                        "acidq.heartbeat-interval=1s",
                        "acidq.missed-heartbeats-limit=7",
                        "acidq.max-crashes=2",
                        "acidq.poll.min-interval=10ms",
                        "acidq.poll.max-interval=1s",
                        "acidq.deduplication-window=1d",
                        "acidq.inbox-retention=2d",
                        "acidq.topics.unsubscribed=fail",
                        "acidq.max-payload-size=2KB",
                        "acidq.stop-timeout=5s",
                        "acidq.retention.dead-letters=90d",
                        "acidq.retention.audit=730d",
                        "acidq.queues[order.placed].deduplication-window=3d",
                        "acidq.queues[order.placed].on-dead-head=park",
                        "acidq.queues[order.placed].retention.archive=2d",
                        "acidq.queues[order.placed].on-duplicate=debounce",
                        "acidq.queues[order.placed].on-duplicate-time=6h",
                        "acidq.queues[order.placed].claim-strategy=lanes",
                        "acidq.detect-lost-transaction=false",
                        "acidq.history.enabled=false",
                        "acidq.retention.history=30d")
                .run(context -> {
                    assertThat(context.getBean(EngineConfig.class))
                            .isEqualTo(new EngineConfig(
                                    Duration.ofSeconds(1),
                                    7,
                                    2,
                                    Duration.ofMillis(10),
                                    Duration.ofSeconds(1),
                                    Duration.ofDays(1),
                                    Duration.ofDays(2),
                                    2048,
                                    EngineConfig.UnsubscribedAction.FAIL,
                                    Duration.ofSeconds(5),
                                    Retention.defaults()
                                            .withAudit(Duration.ofDays(730))
                                            .withDeadLetters(Duration.ofDays(90))
                                            .withHistory(Duration.ofDays(30)),
                                    new HistoryOptions(false),
                                    Map.of(
                                            "order.placed",
                                            QueueConfig.defaults()
                                                    .withDeduplicationWindow(Duration.ofDays(3))
                                                    .withOnDeadHead(DeadHeadPolicy.PARK)
                                                    .withArchiveRetention(Duration.ofDays(2))
                                                    .withOnDuplicate(OnDuplicate.debounce(Duration.ofHours(6)))
                                                    .withClaimStrategy(ClaimStrategy.LANES)),
                                    QueueConfig.defaults()));
                    assertThat(context.getBean(AcidqProperties.class).detectLostTransaction())
                            .isFalse();
                });
    }

    @Test
    void createsRetryPoliciesFromProperties() {
        runner.withUserConfiguration(Shop.class)
                .withPropertyValues(
                        "shop.retry=shipping", // also the name of a bean of another type
                        "acidq.retry.shipping.max-attempts=8",
                        "acidq.retry.shipping.initial-delay=5s",
                        "acidq.retry.shipping.multiplier=3",
                        "acidq.retry.shipping.max-delay=1h",
                        "acidq.retry.shipping.jitter=0.5",
                        "acidq.retry.shipping.max-age=2h",
                        "acidq.retry.shipping.dead-on=java.io.IOException",
                        "acidq.retry.shipping.ignore-on=java.lang.UnsupportedOperationException",
                        "acidq.retry.shipping.retry-on=java.io.FileNotFoundException",
                        "acidq.retry.shipping.causes=true")
                .run(context -> assertThat(context.getBean(RetryPolicy.class))
                        .isEqualTo(new RetryPolicy(
                                8,
                                Duration.ofHours(2),
                                new Backoff(Duration.ofSeconds(5), 3, Duration.ofHours(1), 0.5),
                                List.of(
                                        // the most specific type first, independent of the lists
                                        RetryRule.ignoreOn(UnsupportedOperationException.class)
                                                .orCause(),
                                        RetryRule.retryOn(java.io.FileNotFoundException.class)
                                                .orCause(),
                                        RetryRule.deadOn(java.io.IOException.class)
                                                .orCause()))));
    }

    @Test
    void createsAFixedBackoffFromProperties() {
        runner.withPropertyValues("acidq.retry.plain.backoff=fixed", "acidq.retry.plain.initial-delay=1h")
                .run(context -> assertThat(context.getBean(RetryPolicy.class).backoff())
                        .isEqualTo(Backoff.fixed(Duration.ofHours(1))));
    }

    @Test
    void createsGuardsFromPropertiesWithTheDefaultsOfTheEngine() {
        runner.withPropertyValues(
                        "acidq.breaker.plain.window=20",
                        "acidq.breaker.warehouse.failure-rate=0.25",
                        "acidq.breaker.warehouse.ignored=java.io.IOException",
                        "acidq.rate-limit.warehouse.starts=100",
                        "acidq.bulkhead.warehouse.max-running=3")
                .run(context -> {
                    assertThat(context.getBean("acidq.breaker.plain")).isEqualTo(Breaker.defaults());
                    assertThat(context.getBean("acidq.breaker.warehouse"))
                            .isEqualTo(Breaker.defaults()
                                    .withFailureRate(0.25, 20, 10)
                                    .withIgnored(List.of(java.io.IOException.class)));
                    assertThat(context.getBean("acidq.rate-limit.warehouse"))
                            .isEqualTo(RateLimit.of(100, Duration.ofSeconds(1)));
                    assertThat(context.getBean("acidq.bulkhead.warehouse")).isEqualTo(new Bulkhead(3));
                });
    }

    @Test
    void refusesRulesWhoseClassesDoNotExistOrAreNoExceptions() {
        runner.withPropertyValues("acidq.retry.shipping.dead-on=com.example.Gone")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("com.example.Gone"));
        runner.withPropertyValues("acidq.retry.shipping.ignore-on=java.lang.String")
                .withUserConfiguration(Shop.class)
                .withPropertyValues("shop.retry=shipping")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("java.lang.String")
                        .rootCause()
                        .isInstanceOf(QueueMisuseException.class));
    }

    /** A listener under guards. */
    static class Guarded {
        @QueueListener(queue = "guarded", breaker = "partner", rateLimit = "calls", bulkhead = "${places:}")
        void call(String payload) {}
    }

    @Test
    void findsGuardsInPropertiesAndInTheRegistriesOfTheApplication() {
        CircuitBreakerRegistry breakers = CircuitBreakerRegistry.ofDefaults();
        CircuitBreaker theirs = breakers.circuitBreaker("partner");
        runner.withBean(Guarded.class)
                .withBean(CircuitBreakerRegistry.class, () -> breakers)
                .withPropertyValues("acidq.rate-limit.calls.starts=7", "acidq.rate-limit.calls.period=1d")
                .run(context -> {
                    Engine engine = context.getBean(Engine.class);
                    assertThat(engine.queues().get(0).guards())
                            .extracting(GuardState::toString)
                            .containsExactly(
                                    "breaker 'partner' lets through",
                                    "rate limit 'calls' lets through, 7 permits left");
                    theirs.transitionToForcedOpenState();
                    assertThat(engine.queues().get(0).stoppedBy())
                            .hasValueSatisfying(stop -> assertThat(stop.name()).isEqualTo("partner"));
                });
    }

    @Test
    void namesTheListenerAndTheKnownNamesWhenAGuardIsUnknown() {
        runner.withBean(Guarded.class)
                .withBean(CircuitBreakerRegistry.class, () -> {
                    CircuitBreakerRegistry registry = CircuitBreakerRegistry.ofDefaults();
                    registry.circuitBreaker("parner");
                    return registry;
                })
                .withPropertyValues("acidq.breaker.other.window=30")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(QueueMisuseException.class)
                        .hasMessageContaining("Guarded")
                        .hasMessageContaining("breaker 'partner'")
                        .hasMessageContaining("other, parner"));
    }

    /** A listener that names nothing. */
    static class Plain {
        @QueueListener(queue = "plain")
        void call(String payload) {}
    }

    @Test
    void overridesTheNamesOfAListenerByProperties() {
        runner.withBean(Plain.class)
                .withPropertyValues("acidq.queues.plain.rate-limit=calls", "acidq.rate-limit.calls.starts=9")
                .run(context -> assertThat(
                                context.getBean(Engine.class).queues().get(0).guards())
                        .extracting(GuardState::permits)
                        .containsExactly(9));
        runner.withBean(Plain.class)
                .withPropertyValues("acidq.queues.plain.retry=absent", "acidq.retry.here.max-attempts=2")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("'plain'")
                        .hasMessageContaining("retry policy 'absent'")
                        .hasMessageContaining("here"));
    }

    @Test
    void overridesTheConcurrencyOfAListenerByProperties() {
        runner.withPropertyValues(
                        "acidq.queues[order.placed].concurrency=2-9",
                        "acidq.queues[order.placed].worker-idle-timeout=5s",
                        "acidq.queues[order.placed].worker-max-lifetime=1h",
                        "acidq.queues.other.concurrency=1")
                .run(context -> {
                    ListenerCustomizer settings = context.getBean(QueuePropertiesCustomizer.class);
                    assertThat(settings.customize(listener("order.placed")).concurrency())
                            .isEqualTo(Concurrency.between(2, 9)
                                    .withIdleTimeout(Duration.ofSeconds(5))
                                    .withMaxLifetime(Duration.ofHours(1)));
                    assertThat(settings.customize(listener("unknown")).concurrency())
                            .isEqualTo(Concurrency.fixed(Listener.DEFAULT_CONCURRENCY));
                });
    }

    private static Listener<String> listener(String queue) {
        return Listener.on(queue, String.class, (payload, delivery) -> io.acidq.Outcome.done());
    }

    @Test
    void writesPayloadsWithTheMapperOfTheApplication() {
        runner.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
                .withBean(
                        JsonMapper.class,
                        () -> JsonMapper.builder()
                                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                                .build())
                .run(context -> assertThat(new String(context.getBean(Codec.class)
                                .encode(new Order(7))
                                .bytes()))
                        .isEqualTo("{\"order_number\":7}"));
    }

    @Test
    void setsTheChecksOfTheCodecByProperties() {
        Codec.Encoded renamed = new Codec.Encoded("Customer", "{\"name\":7}".getBytes(StandardCharsets.UTF_8));
        runner.run(context -> {
            Codec codec = context.getBean(Codec.class);
            assertThat(codec.checksRoundTrip()).isTrue();
            assertThat(codec.checksEveryPayload()).isFalse();
            assertThat(codec.decode(renamed, Customer.class)).isEqualTo(new Customer(null));
        });
        runner.withPropertyValues("acidq.payload.check-round-trip=false", "acidq.payload.fail-on-unknown-fields=true")
                .run(context -> {
                    Codec codec = context.getBean(Codec.class);
                    assertThat(codec.checksRoundTrip()).isFalse();
                    assertThatThrownBy(() -> codec.decode(renamed, Customer.class))
                            .isInstanceOf(UndecodableException.class)
                            .hasStackTraceContaining("name");
                });
        runner.withPropertyValues("acidq.payload.check-every-payload=true")
                .run(context -> assertThat(context.getBean(Codec.class).checksEveryPayload())
                        .isTrue());
        runner.withPropertyValues("acidq.payload.fail-on-missing-fields=true")
                .run(context -> assertThatThrownBy(
                                () -> context.getBean(Codec.class).decode(renamed, Customer.class))
                        .isInstanceOf(UndecodableException.class)
                        .hasStackTraceContaining("surname"));
    }

    @Test
    void startsOnAnH2InTheModeOfMySql() {
        runner.withPropertyValues("spring.datasource.url=" + h2Url() + ";MODE=MySQL")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Store.class));
    }

    @Test
    void usesTheTablesThatAScriptOfTheApplicationCreates() {
        runner.withPropertyValues(
                        "acidq.initialize-schema=never",
                        "spring.sql.init.schema-locations=classpath:io/acidq/schema/h2/V1__acidq.sql")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Store.class));
    }

    private static DataSource h2() {
        return new DriverManagerDataSource(h2Url());
    }

    static String h2Url() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }
}
