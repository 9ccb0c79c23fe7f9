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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is written in the attributes of listeners, and the words when it can not be read. */
class ListenerAttributesTest {

    static class UnknownProperty {
        @QueueListener(queue = "${nope.q}")
        void ship(Order order) {}
    }

    static class UnknownInSeveral {
        @QueueListener(queues = {"q", "${nope.q}"})
        void ship(Order order) {}
    }

    static class UnknownInCondition {
        @QueueListener(queue = "q", condition = "id > ${nope.least}")
        void ship(Order order) {}
    }

    static class UnknownStart {
        @QueueListener(queue = "q", autoStartup = "${nope.start}")
        void ship(Order order) {}
    }

    static class UnknownName {
        @QueueListener(queue = "q", concurrency = "#{nope.x}")
        void ship(Order order) {}
    }

    static class HalfAnExpression {
        @QueueListener(queue = "q", retry = "#{1 +}")
        void ship(Order order) {}
    }

    @Test
    void namesTheMethodAndTheAttributeThatHasAnUnknownPlaceholder() {
        assertRefused(UnknownProperty.class, "queue '${nope.q}'", "'nope.q'", "define the property, or give a default");
        assertRefused(UnknownInSeveral.class, "queues '${nope.q}'");
        assertRefused(UnknownInCondition.class, "condition 'id > ${nope.least}'");
        assertRefused(UnknownStart.class, "autoStartup '${nope.start}'");
    }

    @Test
    void namesTheMethodAndTheAttributeWhoseExpressionFails() {
        assertRefused(UnknownName.class, "concurrency '#{nope.x}'", "'nope'", "correct the expression");
        assertRefused(HalfAnExpression.class, "retry '#{1 +}'", "correct the expression");
    }

    static class NoSuchVariable {
        @QueueListener(queue = "q", breaker = "#{#settings}")
        void ship(Order order) {}
    }

    static class EmptyForNull {
        @QueueListener(queue = "q", breaker = "#{#settings ?: ''}")
        void ship(Order order) {}
    }

    /** It counted as an attribute that is not written: the queue had no circuit breaker. */
    @Test
    void refusesAnExpressionThatEvaluatesToNull() {
        assertRefused(NoSuchVariable.class, "breaker '#{#settings}' evaluates to null", "correct the expression");

        try (StartedListeners listeners = new StartedListeners(EmptyForNull.class)) {
            assertThat(listeners.of("q").guards().breaker().name()).isNull();
        }
    }

    static class NumberAlone {
        @QueueListener(queue = "q", timeout = "${wait:30}")
        void ship(Order order) {}
    }

    static class NumberOfAnExpression {
        @QueueListener(queue = "q", timeout = "#{15 * 2}")
        void ship(Order order) {}
    }

    static class Units {
        @QueueListener(queue = "text", timeout = "30s")
        void text(Order order) {}

        @QueueListener(queue = "iso", timeout = "PT30S")
        void iso(Order order) {}

        @QueueListener(queue = "object", timeout = "#{T(java.time.Duration).ofSeconds(30)}")
        void object(Order order) {}
    }

    /** It was taken as milliseconds: every run would have been cut off. */
    @Test
    void refusesATimeoutWithoutItsUnit() {
        assertRefused(NumberAlone.class, "timeout must be a duration with a unit, such as 30s", "was '30'");
        assertRefused(NumberOfAnExpression.class, "timeout must be a duration with a unit", "was '30'");

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

    /** It was made a text, of which no bean has the name. */
    @Test
    void takesTheBeanThatAnExpressionGives() throws Exception {
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
