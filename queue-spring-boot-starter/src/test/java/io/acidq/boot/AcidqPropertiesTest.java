package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.OnDuplicate;
import io.acidq.config.Concurrency;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.spring.ListenerCustomizer;
import io.acidq.spring.QueueListener;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class AcidqPropertiesTest {

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        AcidqStoreAutoConfiguration.class,
        AcidqAutoConfiguration.class
    })
    static class Shop {

        @QueueListener(queue = "order.placed", retry = "${shop.retry:}")
        void ship(String order) {}
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(Shop.class)
            .withPropertyValues("spring.datasource.url=" + AcidqAutoConfigurationTest.h2Url());

    @ParameterizedTest
    @CsvSource({
        "acidq.missed-heartbeats-limit=1, missedHeartbeatsLimit",
        "acidq.max-payload-size=3GB, maxPayloadBytes (acidq.max-payload-size)",
        "acidq.max-payload-size=-3GB, maxPayloadBytes (acidq.max-payload-size)",
        "acidq.heartbeat-interval=100000d, heartbeatInterval (acidq.heartbeat-interval)",
        "acidq.poll.max-interval=100000d, pollMaxInterval (acidq.poll.max-interval)",
        "acidq.stop-timeout=100000d, stopTimeout (acidq.stop-timeout)",
        "'acidq.queues[order.placed].deduplication-window=-1s', 'acidq.queues[order.placed]: deduplicationWindow must be 0 to 36500 days'",
        "'acidq.queues[order.placed].expires-after=0s', 'acidq.queues[order.placed]: expiresAfter must be 1 ms to 1000 years, was PT0S'",
        "'acidq.queues[order.placed].on-duplicate=throttle', 'acidq.queues[order.placed]: the period of throttle must be'",
        "'acidq.queues[order.placed].on-duplicate-time=5s', 'acidq.queues[order.placed]: on-duplicate-time is'",
        "'acidq.queues[order.placed].alarm.backlog=0', 'acidq.queues[order.placed]: alarm.backlog must be 1 to'",
        "'acidq.queues[order.placed].alarm.age=1ms', 'acidq.queues[order.placed]: alarm.age must be 1 s to'",
        "'acidq.queues[order.placed].concurrency=many', 'acidq.queues[order.placed]: concurrency must be a number of workers such as 4'",
        "acidq.queue-defaults.alarm.age=1ms, 'acidq.queue-defaults: alarm.age must be 1 s to'",
        "acidq.queue-defaults.transaction-size=0, 'acidq.queue-defaults (for queue ''order.placed''): '",
        "acidq.retry.shipping.max-attempts=0, acidq.retry.shipping: maxAttempts must be 1 to 1000",
        "acidq.retry.shipping.multiplier=0.5, acidq.retry.shipping: multiplier must be 1 to 100",
        "acidq.observability.engine=, acidq.observability.engine is empty",
    })
    void refusesWrongValues(String property, String words) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(new QueueMisuseFailureAnalyzer()
                                .analyze(context.getStartupFailure())
                                .getDescription())
                        .contains(words));
    }

    @Test
    void refusesAnExceptionTypeInTwoRules() {
        String type = "java.lang.IllegalStateException";
        runner.withPropertyValues(
                        "shop.retry=shipping",
                        "acidq.retry.shipping.retry-on=" + type,
                        "acidq.retry.shipping.dead-on=" + type)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("acidq.retry.shipping: " + type + " is set twice"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"acidq.beatt=1s", "acidq.retry.shipping.multipler=3", "acidq.queues[order.placed].worker=3"})
    void refusesMistypedNames(String property) {
        String name = property.substring(0, property.indexOf('='));

        runner.withPropertyValues(property, "acidq.heartbeat-interval=2s", "acidq.queues[order.placed].timeout=3s")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(name));
    }

    /** An environment variable was ignored without a word, and so was a system property. */
    @ParameterizedTest
    @CsvSource({
        "application, acidq.queues.order.placed.concurrency, acidq.queues[order.placed].concurrency",
        "application, acidq.queues.order.placed.de.retention.dead-letters, acidq.queues[order.placed.de].retention.dead-letters",
        "application, acidq.retry.my.policy.dead-on[0], acidq.retry[my.policy].dead-on",
        "application, acidq.rate-limit.my.limit.starts, acidq.rate-limit[my.limit].starts",
        "systemProperties, acidq.queues.order.placed.timeout, acidq.queues[order.placed].timeout",
        "systemEnvironment, ACIDQ_QUEUES_ORDER_PLACED_WORKERIDLETIMEOUT, acidq.queues[order.placed].workeridletimeout"
    })
    void tellsHowADottedNameIsWritten(String source, String property, String right) {
        Map<String, Object> properties = Map.of(property, "3");
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(
                                source.equals("systemEnvironment")
                                        ? new SystemEnvironmentPropertySource(source, properties)
                                        : new MapPropertySource(source, properties)))
                .run(context -> assertThat(new QueueMisuseFailureAnalyzer()
                                .analyze(context.getStartupFailure())
                                .getAction())
                        .contains("Write " + right + ";"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ACIDQ_QUEUES_ORDERS_ON_DUPLICATE_TIME", "ACIDQ_QUEUES_ORDERS_ONDUPLICATETIME"})
    void readsTheSettingsOfANameWithoutDotsFromTheEnvironment(String variable) {
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                "systemEnvironment",
                                Map.of(variable, "6h", "ACIDQ_QUEUES_ORDERS_ONDUPLICATE", "debounce"))))
                .run(context -> assertThat(context.getBean(EngineConfig.class)
                                .queue("orders")
                                .onDuplicate())
                        .isEqualTo(OnDuplicate.debounce(Duration.ofHours(6))));
    }

    @Test
    void showsAMistypedArgumentAsBootDoes(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplication(Shop.class)
                        .run(
                                "--spring.datasource.url=" + AcidqAutoConfigurationTest.h2Url(),
                                "--acidq.beatt=1s",
                                "--spring.main.web-application-type=none")
                        .close())
                .isInstanceOf(RuntimeException.class);

        assertThat(output).contains("APPLICATION FAILED TO START").contains("acidq.beatt");
    }

    /** A default applies to queues with and without a section, unless the section sets it. */
    @Test
    void appliesTheDefaultsToAllQueues() {
        runner.withPropertyValues(
                        "acidq.queue-defaults.concurrency=2-9",
                        "acidq.queue-defaults.timeout=40s",
                        "acidq.queue-defaults.timeout-grace=3s",
                        "acidq.queue-defaults.deduplication-window=3d",
                        "acidq.queue-defaults.on-duplicate=throttle",
                        "acidq.queue-defaults.on-duplicate-time=1h",
                        "acidq.queue-defaults.alarm.backlog=100",
                        "acidq.queue-defaults.expires-after=1h",
                        "acidq.queue-defaults.on-expiry=dead",
                        "acidq.queue-defaults.deadline=true",
                        "acidq.queues.mail.expires-after=2h",
                        "acidq.queues.mail.concurrency=1",
                        "acidq.queues.mail.on-duplicate=reject",
                        "acidq.queues.mail.deduplication-window=1d",
                        "acidq.queues[order.placed/mail].deduplication-window=2d")
                .run(context -> {
                    EngineConfig config = context.getBean(EngineConfig.class);
                    assertThat(config.queue("any").deduplicationWindow()).isEqualTo(Duration.ofDays(3));
                    assertThat(config.queue("any").onDuplicate()).isEqualTo(OnDuplicate.throttle(Duration.ofHours(1)));
                    assertThat(config.queue("mail").deduplicationWindow()).isEqualTo(Duration.ofDays(1));
                    assertThat(config.queue("order.placed/mail").deduplicationWindow())
                            .as("a subscription")
                            .isEqualTo(Duration.ofDays(2));
                    assertThat(config.queue("mail").onDuplicate()).isEqualTo(OnDuplicate.reject());
                    assertThat(config.queue("mail").alarm().backlog()).isEqualTo(100);
                    assertThat(config.queue("any").expiresAfter()).isEqualTo(Duration.ofHours(1));
                    assertThat(config.queue("mail").expiresAfter()).isEqualTo(Duration.ofHours(2));
                    assertThat(config.queue("mail").onExpiry()).isEqualTo(QueueConfig.ExpiryAction.DEAD);

                    ListenerCustomizer settings = context.getBean(QueuePropertiesCustomizer.class);
                    Listener<String> any = settings.customize(listener("any"));
                    assertThat(any.concurrency()).isEqualTo(Concurrency.between(2, 9));
                    assertThat(any.options().timeout()).isEqualTo(Duration.ofSeconds(40));
                    assertThat(any.options().grace()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(any.options().deadline()).isTrue();
                    assertThat(settings.customize(listener("mail")).concurrency())
                            .isEqualTo(Concurrency.fixed(1));
                    assertThat(settings.customize(listener("mail")).options().timeout())
                            .isEqualTo(Duration.ofSeconds(40));
                });
    }

    @Test
    void doesNotOverrideAListenerByDefaults() {
        runner.withPropertyValues(
                        "acidq.queue-defaults.concurrency=8",
                        "acidq.queue-defaults.worker-idle-timeout=5s",
                        "acidq.queue-defaults.timeout=40s",
                        "acidq.queue-defaults.transaction-size=10",
                        "acidq.queue-defaults.retry=default",
                        "acidq.queues.mail.transaction-size=3",
                        "acidq.retry.default.max-attempts=2",
                        "acidq.retry.own.max-attempts=3")
                .run(context -> {
                    ListenerCustomizer settings = context.getBean(QueuePropertiesCustomizer.class);
                    Listener<String> own = settings.customize(listener("own")
                            .withConcurrency(2, 5)
                            .withTimeout(Duration.ofSeconds(1))
                            .withRetry("own"));
                    assertThat(own.concurrency())
                            .isEqualTo(Concurrency.between(2, 5).withIdleTimeout(Duration.ofSeconds(5)));
                    assertThat(own.options().timeout()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(own.options().transactionSize()).isEqualTo(10);
                    assertThat(own.retry().name()).isEqualTo("own");

                    Listener<String> silent = settings.customize(listener("mail"));
                    assertThat(silent.concurrency().max()).isEqualTo(8);
                    assertThat(silent.options().transactionSize()).isEqualTo(3);
                    assertThat(silent.retry().name()).isEqualTo("default");
                    assertThat(settings.customize(listener("http").external())
                                    .options()
                                    .transactionSize())
                            .isEqualTo(1);
                });
    }

    private static Listener<String> listener(String queue) {
        return Listener.on(queue, String.class, (payload, delivery) -> io.acidq.Outcome.done());
    }

    /** Variables such as ACIDQ_TEST_MYSQL_URL and ACIDQ_CACHE are not properties of the application. */
    @Test
    void ignoresOtherSystemPropertiesAndVariables() {
        runner.withSystemProperties("acidq.test.mysql.url=any", "ACIDQ_CACHE=any", "acidq.heartbeat-interval=2s")
                .run(context -> assertThat(context.getBean(EngineConfig.class)
                                .heartbeatInterval()
                                .toSeconds())
                        .isEqualTo(2));
    }

    @Test
    void warnsAboutRetryPoliciesThatNoListenerNames(CapturedOutput output) {
        runner.withPropertyValues(
                        "shop.retry=shipping", "acidq.retry.shipping.max-attempts=2", "acidq.retry.shiping.jitter=0")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("acidq.retry has policies [shiping]").contains("(named: [shipping])");
    }

    @Test
    void doesNotWarnIfEachPolicyIsNamed(CapturedOutput output) {
        runner.withPropertyValues("shop.retry=shipping", "acidq.retry.shipping.max-attempts=2")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("acidq.retry has policies");
    }
}
