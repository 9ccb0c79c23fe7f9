package io.acidq.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.spring.QueueListener;
import io.acidq.spring.listener.ListenerTest.Arrived;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/** The condition of {@link QueueListener}. With a variable that does not exist, messages were done and the method was never called. */
class ListenerConditionTest {

    record Order(long id, Boolean test) {

        /** Throws if it is null. */
        public boolean known() {
            return test;
        }
    }

    static class OfABatch {
        @QueueListener(queue = "q", batch = "true", condition = "#payloads != null")
        void ship(List<Order> order) {}
    }

    @Test
    void refusesAtStartAVariableThatDoesNotExistInABatch() {
        assertThatThrownBy(() -> new StartedListeners(OfABatch.class).close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("@QueueListener on " + OfABatch.class.getName() + ".ship(")
                .hasMessageContaining(
                        "condition '#payloads != null' names the variable #payloads, which does not exist there");
    }

    static class Legal {

        final List<Order> seen = new ArrayList<>();

        @QueueListener(
                queue = "q",
                condition = "(#wanted = 11) == #payload.id and #root == #this and id == #root.id"
                        + " and #headers.![key].?[#this == 'region'].size() == 1 and #delivery.attempt == #wanted - 10")
        void ship(Order order) {
            seen.add(order);
        }
    }

    @Test
    void acceptsEveryVariableThatExists() throws Exception {
        try (StartedListeners listeners = new StartedListeners(Legal.class)) {
            for (long id : List.of(1L, 11L)) {
                listeners
                        .of("q")
                        .handler()
                        .handle(new Order(id, null), Arrived.with(Map.of("region", "EU", "other", "x")));
            }

            assertThat(listeners.bean(Legal.class).seen).containsExactly(new Order(11, null));
        }
    }

    static class HeadersOfAnotherContent {
        @QueueListener(queue = "q", condition = "#headers == 'EU'")
        void ship(Order order, @Header("region") String headers) {}
    }

    static class PayloadOfAnotherContent {
        @QueueListener(queue = "q", condition = "#payload == '7'")
        void ship(Order order, @Header("number") String payload) {}
    }

    static class RootOfAnotherContent {
        @QueueListener(queue = "q", condition = "#root == '7'")
        void ship(Order order, @Header("number") String root) {}
    }

    @ParameterizedTest
    @ValueSource(classes = {HeadersOfAnotherContent.class, PayloadOfAnotherContent.class, RootOfAnotherContent.class})
    void refusesAtStartAVariableWhoseNameIsThatOfAParameterWithAnotherContent(Class<?> bean) {
        assertThatThrownBy(() -> new StartedListeners(bean).close())
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContainingAll(
                        "@QueueListener on " + bean.getName() + ".ship(",
                        "is a variable of AcidQ and also a parameter of the method",
                        "rename the parameter");
    }

    static class SameContent {
        @QueueListener(queue = "q", condition = "#payload.id == 1 and #headers.size() == 0 and #delivery.attempt == 1")
        void ship(Order payload, @Headers Map<String, String> headers, Delivery delivery) {}
    }

    @Test
    void acceptsAVariableWhoseNameIsThatOfAParameterWithTheSameContent() throws Exception {
        try (StartedListeners listeners = new StartedListeners(SameContent.class)) {
            assertThat(listeners.declared()).hasSize(1);
        }
    }

    static class Undecided {

        int calls;

        @QueueListener(queue = "null", condition = "#payload.test")
        void onNull(Order order) {
            calls++;
        }

        @QueueListener(queue = "text", condition = "#headers['urgent']")
        void onText(Order order) {
            calls++;
        }

        @QueueListener(queue = "throws", condition = "#payload.known()")
        void onThrow(Order order) {
            calls++;
        }

        @QueueListener(queue = "batch", batch = "true", condition = "#payload.test()")
        List<Outcome> batch(List<Order> orders) {
            calls++;
            return orders.stream().map(order -> Outcome.done()).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null|onNull(Order)|condition '#payload.test' evaluates to null, which is neither true nor false",
                "text|onText(Order)|condition '#headers['urgent']' evaluates to a java.lang.String, which is neither",
                "throws|onThrow(Order)|condition '#payload.known()' cannot be evaluated: java.lang.NullPointerException"
            })
    void failsAMessageWhoseConditionIsNeitherTrueNorFalse(String row) {
        String[] parts = row.split("\\|");
        try (StartedListeners listeners = new StartedListeners(Undecided.class)) {
            Delivery delivery = Arrived.with(Map.of("urgent", "true"));

            assertThatThrownBy(() -> listeners.of(parts[0]).handler().handle(new Order(1, null), delivery))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining(
                            "@QueueListener on " + Undecided.class.getName() + "." + parts[1] + " of bean 'bean': ")
                    .hasMessageContaining(parts[2]);
            assertThat(listeners.bean(Undecided.class).calls).isZero();
        }
    }

    /** The engine then runs each message of the batch alone. */
    @Test
    void failsABatchWithAMessageWhoseConditionIsNeitherTrueNorFalse() {
        try (StartedListeners listeners = new StartedListeners(Undecided.class)) {
            Listener<Object> listener = listeners.of("batch");
            List<Item<Object>> items = new ArrayList<>();
            for (Boolean test : new Boolean[] {true, null}) {
                items.add(new Item<>(new Order(1, test), Arrived.with(Map.of())));
            }

            assertThatThrownBy(() -> ((BatchHandlerAdapter<Object>) listener.handler()).handleAll(items))
                    .isInstanceOf(QueueMisuseException.class)
                    .hasMessageContaining("batch(List) of bean 'bean': condition '#payload.test()' evaluates to null");
            assertThat(listeners.bean(Undecided.class).calls).isZero();
        }
    }

    /** The engine's errors showed a handler with a condition as a lambda. */
    @Test
    void namesTheMethodOfAHandlerWithACondition() {
        try (StartedListeners listeners = new StartedListeners(Undecided.class)) {
            assertThat(listeners.of("text").handler())
                    .hasToString(Undecided.class.getName() + ".onText(Order) of bean 'bean'");
            assertThat(((BatchHandlerAdapter<Object>) listeners.of("batch").handler()).handler())
                    .hasToString(Undecided.class.getName() + ".batch(List) of bean 'bean'");
        }
    }
}
