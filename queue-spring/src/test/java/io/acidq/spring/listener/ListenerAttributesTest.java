package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.HandlerErrorHandler;
import io.acidq.spring.ListenerDefaults;
import io.acidq.spring.QueueErrorHandler;
import io.acidq.spring.QueueListener;
import io.acidq.spring.listener.ListenerTest.Arrived;
import io.acidq.spring.listener.ListenerTest.Order;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The attributes of listeners, and the error messages if they cannot be evaluated. */
class ListenerAttributesTest {

    static class UnknownProperty {
        @QueueListener(queue = "${nope.q}")
        void ship(Order order) {}
    }

    static class UnknownInSeveral {
        @QueueListener(queues = {"q", "${nope.q}"})
        void ship(Order order) {}
    }

    @Test
    void namesTheMethodAndTheAttributeThatHasAnUnknownPlaceholder() {
        assertRefused(UnknownProperty.class, "queue '${nope.q}'", "'nope.q'", "define the property, or give a default");
        assertRefused(UnknownInSeveral.class, "queues '${nope.q}'");
    }

    static class NoSuchVariable {
        @QueueListener(queue = "q", breaker = "#{#settings}")
        void ship(Order order) {}
    }

    static class EmptyForNull {
        @QueueListener(queue = "q", breaker = "#{#settings ?: ''}")
        void ship(Order order) {}
    }

    /** Null was treated as an unset attribute: the queue had no circuit breaker. */
    @Test
    void refusesAnExpressionThatEvaluatesToNull() {
        assertRefused(NoSuchVariable.class, "breaker '#{#settings}' evaluates to null", "correct the expression");

        try (StartedListeners listeners = new StartedListeners(EmptyForNull.class)) {
            assertThat(listeners.of("q").guards().breaker().name()).isNull();
        }
    }

    static class Attributes {
        @QueueListener(
                queue = "${queue:q}",
                concurrency = "${concurrency:}",
                retry = "${retry:}",
                mode = "${mode:}",
                timeout = "${timeout:}",
                transactionSize = "${transactionSize:}",
                errorHandler = "${errorHandler:}",
                containerFactory = "${containerFactory:}",
                transactionManager = "${transactionManager:}",
                condition = "${condition:}",
                autoStartup = "${autoStartup:true}")
        void ship(Order order) {}
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "retry=patient | names the retry policy 'patient', but there is none of that name or qualifier (there are: none)",
                "concurrency=16-2 | the minimum of concurrency must be 1 to the maximum, 2, was 16",
                "concurrency=many | 'many'",
                "concurrency=0 | 1 to 1000 workers, was 0",
                "queue= | queue name '' is not allowed",
                "queue=orders/new/old | 'orders/new/old'",
                "mode=fast | mode must be transactional or external, was 'fast'",
                "timeout=30 | timeout must be a duration with a unit, such as 30s or PT30S, was '30'",
                "timeout=#{15 * 2} | timeout must be a duration with a unit, such as 30s or PT30S, was '30'",
                "timeout=soon | timeout must be a duration such as 30s or PT30S, was 'soon'",
                "autoStartup=maybe | autoStartup must be true or false, was 'maybe'",
                "errorHandler=table | errorHandler names 'table'",
                "containerFactory=slow | containerFactory names 'slow'",
                "transactionManager=billing | transactionManager names 'billing'",
                "autoStartup=${nope.start} | autoStartup '${autoStartup:true}' cannot be resolved",
                "concurrency=#{nope.x} | concurrency '${concurrency:}' cannot be evaluated",
                "retry=#{1 +} | retry '${retry:}' cannot be evaluated",
                "condition=id > ${nope.least} | condition '${condition:}' cannot be resolved",
                "condition=#header?.get('region') == 'EU' | condition '#header?.get('region') == 'EU'' names the variable #header, which does not exist there (there are: #payload, #headers, #delivery, #root, #this): write one",
                "condition=#order?.id > 10 | condition '#order?.id > 10' names the variable #order, which does not exist there",
                "condition=#payload.id > | condition '#payload.id >'",
            })
    void refusesWrongValuesOfAttributes(String property, String text) {
        String[] parts = property.split("=", 2);
        assertRefused(Map.of(parts[0], parts[1]), text);
    }

    @Test
    void refusesSeveralMessagesInATransactionInExternalMode() {
        assertRefused(Map.of("mode", "external", "transactionSize", "5"), "transactionSize must be 1 in external mode");
    }

    private static void assertRefused(Map<String, Object> attributes, String text) {
        assertThatThrownBy(() -> new StartedListeners(Attributes.class, attributes, others -> {}).close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@QueueListener on " + Attributes.class.getName() + ".ship(Order) of bean 'bean'")
                .hasMessageContaining(text);
    }

    static class Units {
        @QueueListener(queue = "text", timeout = "30s")
        void text(Order order) {}

        @QueueListener(queue = "iso", timeout = "PT30S")
        void iso(Order order) {}

        @QueueListener(queue = "object", timeout = "#{T(java.time.Duration).ofSeconds(30)}")
        void object(Order order) {}
    }

    static class EndedRuns {
        @QueueListener(queue = "plain")
        void plain(Order order) {}

        @QueueListener(queue = "limited", deadline = "${deadline:true}", interruptOnCancel = "true")
        void limited(Order order) {}
    }

    @Test
    void readsWhetherTheExpiryOrACancelEndsARun() {
        try (StartedListeners limits = new StartedListeners(EndedRuns.class)) {
            assertThat(limits.of("plain").options().deadline()).isFalse();
            assertThat(limits.of("plain").options().interruptOnCancel()).isFalse();
            assertThat(limits.of("limited").options().deadline()).isTrue();
            assertThat(limits.of("limited").options().interruptOnCancel()).isTrue();
        }
    }

    @Test
    void readsATimeoutInEachForm() {
        try (StartedListeners units = new StartedListeners(Units.class)) {
            for (String queue : new String[] {"text", "iso", "object"}) {
                assertThat(units.of(queue).options().timeout()).as(queue).isEqualTo(Duration.ofSeconds(30));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BeansOfExpressions {

        @QueueListener(queue = "q", errorHandler = "#{@toNowhere}", containerFactory = "#{@slow}")
        void ship(Order order) {}

        @QueueListener(queue = "common", containerFactory = "#{@failing}")
        void common(Order order) {}

        @Bean
        QueueErrorHandler toNowhere() {
            return (message, delivery, thrown) -> Outcome.done();
        }

        @Bean
        ListenerDefaults slow() {
            return ListenerDefaults.none().withTimeout("90s");
        }

        @Bean
        ListenerDefaults failing() {
            return ListenerDefaults.none().withErrorHandler("#{@toNowhere}");
        }
    }

    /** The bean was converted to a text and used as a name. */
    @Test
    void usesTheBeanThatAnExpressionReturns() throws Exception {
        try (StartedListeners listeners = new StartedListeners(BeansOfExpressions.class)) {
            assertThat(listeners.of("q").options().timeout()).isEqualTo(Duration.ofSeconds(90));
            for (String queue : new String[] {"q", "common"}) {
                HandlerErrorHandler<Object> handler =
                        (HandlerErrorHandler<Object>) listeners.of(queue).handler();
                assertThat(handler.afterFailure(
                                new Order(1), Arrived.with(Map.of()), new IllegalStateException("never")))
                        .as(queue)
                        .isEqualTo(Outcome.done());
            }
        }
    }

    static class AnotherBean {
        @QueueListener(queue = "q", errorHandler = "#{@bean}")
        void ship(Order order) {}
    }

    @Test
    void refusesABeanOfAnotherType() {
        assertRefused(AnotherBean.class, "errorHandler", "no bean of that name and of type");
    }

    private static void assertRefused(Class<?> bean, String... words) {
        assertThatThrownBy(() -> new StartedListeners(bean).close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@QueueListener on " + bean.getName() + ".ship(Order) of bean 'bean': ")
                .hasMessageContainingAll(words);
    }
}
