package io.acidq.engine.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.BatchHandler;
import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.config.Listener;
import io.acidq.config.Together;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InterceptorsTest {

    private static final String Q = "orders";

    private final List<String> said = new ArrayList<>();
    private final List<NewMessage> written = new ArrayList<>();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Throwable> failing = new ArrayList<>();
    private final MessageQueue store = (queue, messages) -> {
        said.add("written");
        written.addAll(messages);
        return messages.stream()
                .map(m -> new Enqueued(new MessageId(queue, 0, UUID.randomUUID()), Enqueued.Result.ENQUEUED))
                .toList();
    };
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void failing(String duty, Throwable cause) {
            failing.add(cause);
        }
    };
    private final Transactions transactions = proxy(Transactions.class, args -> afterCommit.add((Runnable) args[0]));
    private final Delivery delivery = proxy(Delivery.class, args -> null);

    /** Says what it hears. */
    private final class Saying implements Interceptor, Interceptor.Enqueueing, Interceptor.Handling {

        private final String name;
        private final Map<String, String> headers;

        Saying(String name, Map<String, String> headers) {
            this.name = name;
            this.headers = headers;
        }

        private void say(String what) {
            said.add(name + " " + what);
        }

        @Override
        public Enqueueing enqueueing(String queue, List<NewMessage> messages) {
            say("enqueueing " + messages.size());
            return this;
        }

        @Override
        public Handling handling(List<Delivery> deliveries) {
            say("handling " + deliveries.size());
            return this;
        }

        @Override
        public Map<String, String> headers() {
            return headers;
        }

        @Override
        public void ended(List results) {
            say("ended " + results.size());
        }

        @Override
        public void failed(Throwable failure) {
            say("failed " + failure.getMessage());
        }

        @Override
        public void committed() {
            say("committed");
        }
    }

    /** Throws wherever it can. */
    private static final class Throwing implements Interceptor {

        @Override
        public Enqueueing enqueueing(String queue, List<NewMessage> messages) {
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
    void standAroundAnEnqueueAndHearOfTheCommitLast() {
        MessageQueue queue = queue(new Saying("a", Map.of()), new Saying("b", Map.of()));

        queue.enqueue(Q, "payload");
        assertThat(said).containsExactly("a enqueueing 1", "b enqueueing 1", "written", "b ended 1", "a ended 1");

        afterCommit.forEach(Runnable::run);
        assertThat(said).endsWith("a committed", "b committed");
    }

    @Test
    void addTheirHeadersToEachMessage() {
        MessageQueue queue = queue(new Saying("a", Map.of("one", "1")), new Saying("b", Map.of("two", "2")));

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
    void leaveAMessageAsItWasWhenTheirHeadersDoNotFit() {
        queue(new Saying("a", Map.of("baggage", "x".repeat(9_000)))).enqueue(Q, "payload");

        assertThat(written).extracting(m -> m.options().headers()).containsExactly(Map.of());
    }

    @Test
    void hearOfAnEnqueueThatFails() {
        MessageQueue refusing = new Interceptors(List.of(new Saying("a", Map.of())), telemetry)
                .around(
                        (queue, messages) -> {
                            throw new QueueMisuseException("no transaction");
                        },
                        transactions);

        assertThatThrownBy(() -> refusing.enqueue(Q, "payload")).isInstanceOf(QueueMisuseException.class);
        assertThat(said).containsExactly("a enqueueing 1", "a failed no transaction");
        assertThat(afterCommit).isEmpty();
    }

    @Test
    void standAroundAHandler() throws Exception {
        Outcome outcome = handler(
                        (payload, d) -> {
                            said.add("handled");
                            return Outcome.done();
                        },
                        new Saying("a", Map.of()),
                        new Saying("b", Map.of()))
                .handler()
                .handle("payload", delivery);

        assertThat(outcome).isEqualTo(Outcome.done());
        assertThat(said).containsExactly("a handling 1", "b handling 1", "handled", "b ended 1", "a ended 1");
    }

    @Test
    void hearOfAHandlerThatThrowsAndLetItThrow() {
        Exception thrown = new Exception("out of stock");

        assertThatThrownBy(() -> handler(
                                (payload, d) -> {
                                    throw thrown;
                                },
                                new Saying("a", Map.of()))
                        .handler()
                        .handle("payload", delivery))
                .isSameAs(thrown);
        assertThat(said).containsExactly("a handling 1", "a failed out of stock");
    }

    /** The logging context was gone when an error handler ran, and a failure was counted that ended well. */
    @Test
    void standAroundAnErrorHandlerToo() throws Exception {
        Recovery recovery = thrown -> {
            said.add("recovered from " + thrown.getMessage());
            return Outcome.done();
        };
        Listener<String> one = handler(
                (payload, d) -> {
                    throw new Exception("out of stock");
                },
                new Saying("a", Map.of()));
        BatchHandler<String> failing = items -> {
            throw new Exception("out of stock");
        };
        Listener<String> batch = around(Listener.onBatch(Q, String.class, 10, failing), new Saying("a", Map.of()));

        for (Listener<String> listener : List.of(one, batch)) {
            said.clear();
            assertThat(Interceptors.call(listener.handler(), "payload", delivery, recovery))
                    .isEqualTo(Outcome.done());
            assertThat(said).containsExactly("a handling 1", "recovered from out of stock", "a ended 1");
        }
    }

    @Test
    void standAroundABatchOnce() throws Exception {
        BatchHandler<String> batch = BatchHandler::allDone;
        Listener<String> listener = around(Listener.onBatch(Q, String.class, 10, batch), new Saying("a", Map.of()));

        assertThat(listener.handler()).isInstanceOf(Together.class);
        ((Together<String>) listener.handler())
                .handleAll(List.of(new Item<>("1", delivery), new Item<>("2", delivery)));
        assertThat(said).containsExactly("a handling 2", "a ended 2");
    }

    @Test
    void hearOfABatchHandlerThatReturnsTooLittleAsAFailure() {
        BatchHandler<String> batch = items -> List.of();
        Listener<String> listener = around(Listener.onBatch(Q, String.class, 10, batch), new Saying("a", Map.of()));

        assertThatThrownBy(() -> listener.handler().handle("payload", delivery))
                .isInstanceOf(QueueMisuseException.class);
        assertThat(said).hasSize(2).last().asString().startsWith("a failed a batch handler must return");
    }

    @Test
    void harmNobodyWhenTheyThrowAndTellItOnce() throws Exception {
        Throwing throwing = new Throwing();
        Saying saying = new Saying("a", Map.of("one", "1"));
        Interceptors interceptors = new Interceptors(List.of(throwing, saying), telemetry);

        interceptors.around(store, transactions).enqueue(Q, "payload");
        afterCommit.forEach(Runnable::run);
        Outcome outcome = interceptors
                .around(Listener.on(Q, String.class, (payload, d) -> Outcome.done()))
                .handler()
                .handle("payload", delivery);

        assertThat(outcome).isEqualTo(Outcome.done());
        assertThat(written).extracting(m -> m.options().headers()).containsExactly(Map.of("one", "1"));
        assertThat(said)
                .containsExactly("a enqueueing 1", "written", "a ended 1", "a committed", "a handling 1", "a ended 1");
        assertThat(failing).hasSize(1);
    }

    @Test
    void costNothingWhereThereAreNone() {
        Interceptors none = new Interceptors(List.of(), telemetry);
        Listener<String> listener = Listener.on(Q, String.class, (payload, d) -> Outcome.done());

        assertThat(none.around(store, transactions)).isSameAs(store);
        assertThat(none.around(listener)).isSameAs(listener);
    }

    private MessageQueue queue(Interceptor... interceptors) {
        return new Interceptors(List.of(interceptors), telemetry).around(store, transactions);
    }

    private Listener<String> handler(io.acidq.Handler<String> handler, Interceptor... interceptors) {
        return around(Listener.on(Q, String.class, handler), interceptors);
    }

    private Listener<String> around(Listener<String> listener, Interceptor... interceptors) {
        return new Interceptors(List.of(interceptors), telemetry).around(listener);
    }

    private interface Answer {
        Object to(Object[] args);
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (p, method, args) -> {
            Object answered = answer.to(args == null ? new Object[0] : args);
            return method.getReturnType() == void.class ? null : answered;
        }));
    }
}
