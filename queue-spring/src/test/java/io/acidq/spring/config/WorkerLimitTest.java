package io.acidq.spring.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Concurrency;
import io.acidq.config.Listener;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerLimitTest {

    @Test
    void doesNotLimitListenersIfThePoolIsLargeEnough() {
        assertThat(limited(20, workers("a", "2-8"), workers("b", "8"))).containsExactly("2-8", "8");
    }

    @Test
    void limitsAllListenersToThePool() {
        assertThat(limited(20, workers("a", "200"))).containsExactly("16");
        assertThat(limited(20, workers("a", "1-101"), workers("b", "1-41"))).containsExactly("1-11", "1-5");
        assertThat(limited(6, workers("a", "200"), workers("b", "4-8"))).containsExactly("1", "1");
    }

    @Test
    void doesNotCountListenersThatHoldNoConnection() {
        assertThat(limited(6, workers("a", "200").external(), workers("b", "4")))
                .containsExactly("200", "2");
    }

    @Test
    void doesNotLimitListenersIfThePoolIsUnknown() {
        assertThat(limited(null, workers("a", "200"))).containsExactly("200");
    }

    @Test
    void refusesAPoolWithoutAConnectionForEachListener() {
        assertThatThrownBy(() -> limited(5, workers("a", "1"), workers("b", "1")))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("5 connections")
                .hasMessageContaining("raise the maximum size of the pool to 6 or more");
    }

    private static List<String> limited(Integer connections, Listener<?>... listeners) {
        return new WorkerLimit(connections)
                .applyTo(List.of(listeners)).stream()
                        .map(listener -> listener.concurrency().toString())
                        .toList();
    }

    private static Listener<?> workers(String queue, String workers) {
        return Listener.on(queue, String.class, (payload, delivery) -> Outcome.done())
                .withConcurrency(Concurrency.parse(workers));
    }
}
