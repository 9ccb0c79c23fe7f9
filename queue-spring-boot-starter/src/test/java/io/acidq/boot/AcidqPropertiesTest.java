package io.acidq.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.config.EngineConfig;
import io.acidq.spring.QueueListener;
import java.util.UUID;
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
            .withPropertyValues("spring.datasource.url=" + h2Url());

    @ParameterizedTest
    @CsvSource({
        "acidq.max-payload-size=3GB, maxPayloadBytes (acidq.max-payload-size)",
        "acidq.max-payload-size=-3GB, maxPayloadBytes (acidq.max-payload-size)",
        "acidq.beat=100000d, beat (acidq.beat)",
        "acidq.poll-max=100000d, pollMax (acidq.poll-max)",
        "acidq.stop-timeout=100000d, stopTimeout (acidq.stop-timeout)",
        "'acidq.queues[order.placed].key-window=-1s', 'acidq.queues[order.placed]: keyWindow must be 0 to 36500 days'",
        "'acidq.queues[order.placed].on-duplicate=throttle', 'acidq.queues[order.placed]: the period of throttle must be'",
        "'acidq.queues[order.placed].on-duplicate-time=5s', 'acidq.queues[order.placed]: on-duplicate-time is'",
        "'acidq.queues[order.placed].backlog-alarm=0', 'acidq.queues[order.placed]: backlogAlarm must be 1 to'",
        "'acidq.queues[order.placed].age-alarm=1ms', 'acidq.queues[order.placed]: ageAlarm must be 1 s to'",
        "'acidq.queues[order.placed].workers=many', 'acidq.queues[order.placed]: workers must be a number such as 4'",
        "acidq.retry.shipping.max-attempts=0, acidq.retry.shipping: maxAttempts must be 1 to 1000",
        "acidq.retry.shipping.multiplier=0.5, acidq.retry.shipping: multiplier must be 1 to 100",
    })
    void refusesValuesThatMakeNoSense(String property, String words) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(new QueueMisuseFailureAnalyzer()
                                .analyze(context.getStartupFailure())
                                .getDescription())
                        .contains(words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acidq.beatt=1s",
                "acidq.retry.shipping.multipler=3",
                "acidq.queues[order.placed].worker=3",
                "acidq.queues.order.placed.workers=3"
            })
    void refusesMistypedNames(String property) {
        String name = property.substring(0, property.indexOf('='));

        runner.withPropertyValues(property, "acidq.beat=2s", "acidq.queues[order.placed].timeout=3s")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining(name));
    }

    @Test
    void showsAMistypedArgumentAsBootDoes(CapturedOutput output) {
        assertThatThrownBy(() -> new SpringApplication(Shop.class)
                        .run(
                                "--spring.datasource.url=" + h2Url(),
                                "--acidq.beatt=1s",
                                "--spring.main.web-application-type=none")
                        .close())
                .isInstanceOf(RuntimeException.class);

        assertThat(output).contains("APPLICATION FAILED TO START").contains("acidq.beatt");
    }

    /** Variables such as ACIDQ_TEST_MYSQL_URL and ACIDQ_CACHE are none of the application's. */
    @Test
    void leavesForeignSystemPropertiesAndVariablesAlone() {
        runner.withSystemProperties("acidq.test.mysql.url=any", "ACIDQ_CACHE=any", "acidq.beat=2s")
                .run(context -> assertThat(
                                context.getBean(EngineConfig.class).beat().toSeconds())
                        .isEqualTo(2));
    }

    @Test
    void warnsOfRetryPoliciesThatNoListenerNames(CapturedOutput output) {
        runner.withPropertyValues(
                        "shop.retry=shipping", "acidq.retry.shipping.max-attempts=2", "acidq.retry.shiping.jitter=0")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).contains("acidq.retry has policies [shiping]").contains("(named: [shipping])");
    }

    @Test
    void warnsOfNothingWhenEachPolicyIsNamed(CapturedOutput output) {
        runner.withPropertyValues("shop.retry=shipping", "acidq.retry.shipping.max-attempts=2")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output).doesNotContain("acidq.retry has policies");
    }

    private static String h2Url() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=MySQL;DB_CLOSE_DELAY=-1";
    }
}
