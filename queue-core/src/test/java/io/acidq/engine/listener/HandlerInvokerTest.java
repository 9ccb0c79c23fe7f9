package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.BatchHandler;
import io.acidq.BatchHandler.Item;
import io.acidq.Delivery;
import io.acidq.Handler;
import io.acidq.Interceptor;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.config.HandlerErrorHandler;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.listener.OutcomeRecorder.ClaimLostException;
import io.acidq.engine.node.NodeContext.CancelRequests;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HandlerInvokerTest {

    private static final String Q = "orders";

    private final List<String> events = new ArrayList<>();
    private final FakeTransactions transactions = new FakeTransactions();
    private final ClaimedMessage message = SimulatedRow.message(1, 5, null, 0);
    private final AtomicBoolean mayCall = new AtomicBoolean(true);
    private final Execution execution =
            new Execution(List.of(message), Map.of(), 0, mayCall::get, () -> false, m -> {});

    /** An interceptor that records its calls. */
    private record Recording(String name, List<String> events) implements Interceptor, Interceptor.Handling {

        @Override
        public Handling handling(List<Delivery> deliveries) {
            events.add(name + " handling " + deliveries.size());
            return this;
        }

        @Override
        public void ended(List<Outcome> outcomes) {
            events.add(name + " ended " + outcomes.size());
        }

        @Override
        public void failed(Throwable failure) {
            events.add(name + " failed " + failure.getMessage());
        }
    }

    /** A handler that fails, and whose error handler decides the outcome. */
    private record Failing(Exception failure, Outcome afterwards)
            implements Handler<Integer>, HandlerErrorHandler<Integer> {

        @Override
        public Outcome handle(Integer payload, Delivery delivery) throws Exception {
            throw failure;
        }

        @Override
        public Outcome afterFailure(Integer payload, Delivery delivery, Exception thrown) {
            return afterwards;
        }
    }

    /** A batch handler that fails in the same way. */
    private record FailingBatch(Failing each) implements BatchHandler<Integer>, HandlerErrorHandler<Integer> {

        @Override
        public List<Outcome> handleAll(List<Item<Integer>> items) throws Exception {
            throw each.failure;
        }

        @Override
        public Outcome afterFailure(Integer payload, Delivery delivery, Exception thrown) {
            return each.afterwards;
        }
    }

    private HandlerInvoker<Integer> invoker(Listener<Integer> listener, String... interceptors) {
        List<Interceptor> chain = new ArrayList<>();
        for (String name : interceptors) {
            chain.add(new Recording(name, events));
        }
        ClaimStore claims = (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> null);
        return new HandlerInvoker<>(
                listener,
                claims,
                transactions,
                new SimulatedCodec(),
                new InterceptorChain(chain, new Telemetry() {}),
                new CancelRequests());
    }

    private Outcome invoke(Handler<Integer> handler, String... interceptors) throws Exception {
        HandlerInvoker<Integer> invoker = invoker(Listener.on(Q, Integer.class, handler), interceptors);
        return invoker.invoke(execution, message, invoker.decode(message), null);
    }

    private List<Outcome> invokeBatch(BatchHandler<Integer> handler, int messages, String... interceptors)
            throws Exception {
        Listener<Integer> listener = Listener.onBatch(Q, Integer.class, 10, handler);
        HandlerInvoker<Integer> invoker = invoker(listener, interceptors);
        List<Item<Integer>> items = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            items.add(invoker.decode(message));
        }
        return invoker.invokeBatch(execution, List.of(message), new BatchHandlerAdapter<>(handler), items);
    }

    @Test
    void passesThePayloadAndTheDeliveryToTheHandler() throws Exception {
        Outcome outcome = invoke((payload, delivery) -> {
            events.add(payload + " of " + delivery.id());
            return Outcome.snooze(Duration.ofMillis(delivery.attempt()));
        });

        assertThat(outcome).isEqualTo(Outcome.snooze(Duration.ofMillis(1)));
        assertThat(events).containsExactly("5 of " + message.id(Q));
        assertThat(transactions.asked)
                .as("no savepoint without an error handler")
                .isEmpty();
    }

    @Test
    void doesNotReadTheContentOfALostClaim() {
        ClaimedMessage unread = new ClaimedMessage(
                message.claim(), 0, message.uid(), null, null, "T", "", null, 1, 0, null, null, Duration.ZERO, null, 0);

        assertThatThrownBy(() -> invoker(Listener.on(Q, Integer.class, (p, d) -> Outcome.done()))
                        .decode(unread))
                .isInstanceOf(ClaimLostException.class);
    }

    @Test
    void doesNotCallTheHandlerAfterAnOutage() {
        mayCall.set(false);

        assertThatThrownBy(() -> invoke((payload, delivery) -> Outcome.done(), "a"))
                .isInstanceOf(ClaimLostException.class);
        assertThat(events).isEmpty();
        assertThat(execution.wasCalled()).isFalse();
    }

    @Test
    void callsTheHandlerBetweenTheInterceptors() throws Exception {
        Outcome outcome = invoke(
                (payload, delivery) -> {
                    events.add("handled");
                    return Outcome.done();
                },
                "a");

        assertThat(outcome).isEqualTo(Outcome.done());
        assertThat(events).containsExactly("a handling 1", "handled", "a ended 1");
    }

    @Test
    void namesAHandlerWhoseToStringThrows() {
        Handler<Integer> broken = new Handler<>() {
            @Override
            public Outcome handle(Integer payload, Delivery delivery) {
                return Outcome.done();
            }

            @Override
            public String toString() {
                throw new IllegalStateException("no text");
            }
        };

        assertThat(HandlerInvoker.handlerName(Listener.on(Q, Integer.class, broken)))
                .isEqualTo("the handler of queue 'orders' (" + broken.getClass().getName()
                        + ", whose toString throws java.lang.IllegalStateException)");
    }

    @Test
    void refusesAHandlerThatReturnsNull() {
        assertThatThrownBy(() -> invoke((payload, delivery) -> null, "a"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("returned null");
        assertThat(events).hasSize(2).last().asString().startsWith("a failed ");
    }

    /** An error handler ran without the logging context, and its success was counted as a failure. */
    @Test
    void asksTheErrorHandlerInsideTheInterceptors() throws Exception {
        Failing failing = new Failing(new Exception("out of stock"), Outcome.done());
        for (Handler<Integer> handler :
                List.<Handler<Integer>>of(failing, new BatchHandlerAdapter<>(new FailingBatch(failing)))) {
            events.clear();
            transactions.asked.clear();
            assertThat(invoke(handler, "a")).isEqualTo(Outcome.done());
            assertThat(events).containsExactly("a handling 1", "a ended 1");
            assertThat(transactions.asked).containsExactly("mark acidq_handler", "undo acidq_handler");
        }
    }

    @Test
    void throwsAFailureThatNoErrorHandlerDecidesAndTellsTheInterceptors() {
        Exception thrown = new Exception("out of stock");
        Handler<Integer> withoutErrorHandler = (payload, delivery) -> {
            throw thrown;
        };
        for (Handler<Integer> handler : List.of(withoutErrorHandler, new Failing(thrown, null))) {
            events.clear();
            assertThatThrownBy(() -> invoke(handler, "a")).isSameAs(thrown);
            assertThat(events).containsExactly("a handling 1", "a failed out of stock");
        }
    }

    @Test
    void asksNoErrorHandlerAboutAFailureThatIsNotTheMessagesFault() {
        Exception deadlock = new TransientQueueException("deadlock", new SQLException("deadlock", "40001", 1213));
        for (Exception thrown : List.of(deadlock, new InterruptedException())) {
            assertThatThrownBy(() -> invoke(new Failing(thrown, Outcome.done())))
                    .isSameAs(thrown);
        }
        assertThat(transactions.asked).doesNotContain("undo acidq_handler");
    }

    @Test
    void callsTheInterceptorsOnceForABatch() throws Exception {
        assertThat(invokeBatch(BatchHandler::allDone, 2, "a")).containsExactly(Outcome.done(), Outcome.done());
        assertThat(events).containsExactly("a handling 2", "a ended 2");
    }

    @Test
    void tellsTheInterceptorsThatABatchHandlerReturnedTooFewOutcomes() {
        assertThatThrownBy(() -> invokeBatch(items -> List.of(), 1, "a")).isInstanceOf(QueueMisuseException.class);
        assertThat(events).hasSize(2).last().asString().startsWith("a failed a batch handler must return");
    }
}
