package io.acidq.engine.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.store.PortStub;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InterceptorChainTest {

    private static final String Q = "orders";

    private final List<String> calls = new ArrayList<>();
    private final List<NewMessage> written = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Throwable> failing = new ArrayList<>();
    private final MessageQueue store = (queue, messages) -> {
        calls.add("written");
        written.addAll(messages);
        return messages.stream()
                .map(m -> new Enqueued(new MessageId(queue, 0, UUID.randomUUID()), Enqueued.Result.ENQUEUED))
                .toList();
    };
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void taskFailed(String task, Throwable failure) {
            failing.add(failure);
        }
    };
    private final Transactions transactions =
            PortStub.of(Transactions.class, Map.of("afterCommit", args -> afterCommit.add((Runnable) args[0])));
    private final Delivery delivery = PortStub.of(Delivery.class, Map.of());

    /** Records its calls. */
    private final class Recording implements Interceptor, Interceptor.Enqueueing, Interceptor.Handling {

        private final String name;
        private final Map<String, String> headers;

        Recording(String name, Map<String, String> headers) {
            this.name = name;
            this.headers = headers;
        }

        private void add(String what) {
            calls.add(name + " " + what);
        }

        @Override
        public Enqueueing enqueueing(String destination, List<NewMessage> messages) {
            add("enqueueing " + messages.size());
            return this;
        }

        @Override
        public Handling handling(List<Delivery> deliveries) {
            add("handling " + deliveries.size());
            return this;
        }

        @Override
        public Map<String, String> headers() {
            return headers;
        }

        @Override
        public void ended(List results) {
            add("ended " + results.size());
        }

        @Override
        public void failed(Throwable failure) {
            add("failed " + failure.getMessage());
        }

        @Override
        public void committed() {
            add("committed");
        }
    }

    /** Throws in each method. */
    private static final class Throwing implements Interceptor {

        @Override
        public Enqueueing enqueueing(String destination, List<NewMessage> messages) {
            return new Enqueueing() {
                @Override
                public Map<String, String> headers() {
                    throw new IllegalStateException("headers");
                }

                @Override
                public void ended(List<Enqueued> results) {
                    throw new AssertionError("ended");
                }

                @Override
                public void failed(Throwable failure) {
                    throw new IllegalStateException("failed");
                }

                @Override
                public void committed() {
                    throw new IllegalStateException("committed");
                }
            };
        }

        @Override
        public Handling handling(List<Delivery> deliveries) {
            throw new StackOverflowError("handling");
        }
    }

    @Test
    void callsInterceptorsAroundAnEnqueueAndAfterTheCommit() {
        MessageQueue queue = queue(new Recording("a", Map.of()), new Recording("b", Map.of()));

        queue.enqueue(Q, "payload");
        assertThat(calls).containsExactly("a enqueueing 1", "b enqueueing 1", "written", "b ended 1", "a ended 1");

        afterCommit.forEach(Runnable::run);
        assertThat(calls).endsWith("a committed", "b committed");
    }

    @Test
    void addsTheHeadersOfInterceptorsToEachMessage() {
        MessageQueue queue = queue(new Recording("a", Map.of("one", "1")), new Recording("b", Map.of("two", "2")));

        queue.enqueueAll(
                Q,
                List.of(
                        NewMessage.of("first"),
                        new NewMessage("second", EnqueueOptions.options().header("own", "0"))));

        assertThat(written)
                .extracting(m -> m.options().headers())
                .containsExactly(Map.of("one", "1", "two", "2"), Map.of("own", "0", "one", "1", "two", "2"));
    }

    @Test
    void omitsHeadersThatDoNotFit() {
        queue(new Recording("a", Map.of("baggage", "x".repeat(9_000)))).enqueue(Q, "payload");

        assertThat(written).extracting(m -> m.options().headers()).containsExactly(Map.of());
    }

    @Test
    void reportsAFailedEnqueue() {
        MessageQueue refusing = new InterceptorChain(List.of(new Recording("a", Map.of())), telemetry)
                .intercept(
                        (queue, messages) -> {
                            throw new QueueMisuseException("no transaction");
                        },
                        transactions);

        assertThatThrownBy(() -> refusing.enqueue(Q, "payload")).isInstanceOf(QueueMisuseException.class);
        assertThat(calls).containsExactly("a enqueueing 1", "a failed no transaction");
        assertThat(afterCommit).isEmpty();
    }

    @Test
    void callsInterceptorsAroundAHandlerAndInReverseOrderAfterIt() {
        InterceptorChain chain =
                new InterceptorChain(List.of(new Recording("a", Map.of()), new Recording("b", Map.of())), telemetry);

        chain.handling(List.of(delivery, delivery)).ended(List.of(Outcome.done(), Outcome.done()));
        assertThat(calls).containsExactly("a handling 2", "b handling 2", "b ended 2", "a ended 2");

        calls.clear();
        chain.handling(List.of(delivery)).failed(new Exception("out of stock"));
        assertThat(calls)
                .containsExactly("a handling 1", "b handling 1", "b failed out of stock", "a failed out of stock");
    }

    @Test
    void ignoresExceptionsOfInterceptorsAndReportsTheFirst() {
        Throwing throwing = new Throwing();
        Recording recording = new Recording("a", Map.of("one", "1"));
        InterceptorChain interceptors = new InterceptorChain(List.of(throwing, recording), telemetry);

        interceptors.intercept(store, transactions).enqueue(Q, "payload");
        afterCommit.forEach(Runnable::run);
        interceptors.handling(List.of(delivery)).ended(List.of(Outcome.done()));

        assertThat(written).extracting(m -> m.options().headers()).containsExactly(Map.of("one", "1"));
        assertThat(calls)
                .containsExactly("a enqueueing 1", "written", "a ended 1", "a committed", "a handling 1", "a ended 1");
        assertThat(failing).hasSize(1);
    }

    @Test
    void doesNotWrapAQueueWithoutInterceptors() {
        InterceptorChain none = new InterceptorChain(List.of(), telemetry);

        assertThat(none.intercept(store, transactions)).isSameAs(store);
        none.handling(List.of(delivery)).ended(List.of(Outcome.done()));
        assertThat(failing).isEmpty();
    }

    private MessageQueue queue(Interceptor... interceptors) {
        return new InterceptorChain(List.of(interceptors), telemetry).intercept(store, transactions);
    }
}
