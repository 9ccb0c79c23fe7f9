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
import io.acidq.config.BatchHandlerAdapter;
import io.acidq.config.HandlerErrorHandler;
import io.acidq.config.Listener;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HandlerInvokerTest {

    private static final String Q = "orders";

    private final List<String> said = new ArrayList<>();
    private final FakeTransactions transactions = new FakeTransactions();
    private final ClaimedMessage message = new ClaimedMessage(
            new Claim(1, 0, 1, new UUID(0, 1), 7, 1),
            1,
            new UUID(0, 1),
            null,
            null,
            "T",
            "",
            new byte[] {0, 0, 0, 5},
            1,
            0,
            Instant.EPOCH,
            Instant.EPOCH,
            Duration.ZERO);
    private final AtomicBoolean mayCall = new AtomicBoolean(true);
    private final Execution execution = new Execution(List.of(message), Map.of(), 0, mayCall::get, () -> false);

    /** Says what it hears. */
    private record Saying(String name, List<String> said) implements Interceptor, Interceptor.Handling {

        @Override
        public Handling handling(List<Delivery> deliveries) {
            said.add(name + " handling " + deliveries.size());
            return this;
        }

        @Override
        public void ended(List<Outcome> outcomes) {
            said.add(name + " ended " + outcomes.size());
        }

        @Override
        public void failed(Throwable failure) {
            said.add(name + " failed " + failure.getMessage());
        }
    }

    /** Fails, and decides what becomes of that. */
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

    /** The same with a batch. */
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
        List<Interceptor> sayings = new ArrayList<>();
        for (String name : interceptors) {
            sayings.add(new Saying(name, said));
        }
        ClaimStore claims = (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> null);
        return new HandlerInvoker<>(
                listener,
                claims,
                transactions,
                new SimulatedCodec(),
                new InterceptorChain(sayings, new Telemetry() {}));
    }

    private Outcome invoke(Handler<Integer> handler, String... interceptors) throws Exception {
        HandlerInvoker<Integer> invoker = invoker(Listener.on(Q, Integer.class, handler), interceptors);
        return invoker.invoke(execution, message, invoker.decode(message));
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
    void handsOverThePayloadAndWhatIsKnownOfTheMessage() throws Exception {
        Outcome outcome = invoke((payload, delivery) -> {
            said.add(payload + " of " + delivery.id());
            return Outcome.snooze(Duration.ofMillis(delivery.attempt()));
        });

        assertThat(outcome).isEqualTo(Outcome.snooze(Duration.ofMillis(1)));
        assertThat(said).containsExactly("5 of " + message.id(Q));
        assertThat(transactions.asked)
                .as("no savepoint without an error handler")
                .isEmpty();
    }

    @Test
    void doesNotReadTheContentOfALostClaim() {
        ClaimedMessage unread = new ClaimedMessage(
                message.claim(), 0, message.uid(), null, null, "T", "", null, 1, 0, null, null, Duration.ZERO);

        assertThatThrownBy(() -> invoker(Listener.on(Q, Integer.class, (p, d) -> Outcome.done()))
                        .decode(unread))
                .isInstanceOf(ClaimLostException.class);
    }

    @Test
    void doesNotCallTheHandlerAfterAnOutage() {
        mayCall.set(false);

        assertThatThrownBy(() -> invoke((payload, delivery) -> Outcome.done(), "a"))
                .isInstanceOf(ClaimLostException.class);
        assertThat(said).isEmpty();
        assertThat(execution.wasCalled()).isFalse();
    }

    @Test
    void surroundsTheHandlerWithTheInterceptors() throws Exception {
        Outcome outcome = invoke(
                (payload, delivery) -> {
                    said.add("handled");
                    return Outcome.done();
                },
                "a",
                "b");

        assertThat(outcome).isEqualTo(Outcome.done());
        assertThat(said).containsExactly("a handling 1", "b handling 1", "handled", "b ended 1", "a ended 1");
    }

    @Test
    void letsTheInterceptorsHearWhatTheHandlerThrows() {
        Exception thrown = new Exception("out of stock");

        assertThatThrownBy(() -> invoke(
                        (payload, delivery) -> {
                            throw thrown;
                        },
                        "a"))
                .isSameAs(thrown);
        assertThat(said).containsExactly("a handling 1", "a failed out of stock");
    }

    @Test
    void refusesAHandlerThatReturnsNull() {
        assertThatThrownBy(() -> invoke((payload, delivery) -> null, "a"))
                .isInstanceOf(QueueMisuseException.class)
                .hasMessageContaining("returned null");
        assertThat(said).hasSize(2).last().asString().startsWith("a failed ");
    }

    /** The logging context was gone when an error handler ran, and a failure was counted that ended well. */
    @Test
    void asksTheErrorHandlerInsideTheInterceptors() throws Exception {
        Failing failing = new Failing(new Exception("out of stock"), Outcome.done());
        for (Handler<Integer> handler :
                List.<Handler<Integer>>of(failing, new BatchHandlerAdapter<>(new FailingBatch(failing)))) {
            said.clear();
            transactions.asked.clear();
            assertThat(invoke(handler, "a")).isEqualTo(Outcome.done());
            assertThat(said).containsExactly("a handling 1", "a ended 1");
            assertThat(transactions.asked).containsExactly("mark acidq_handler", "undo acidq_handler");
        }
    }

    @Test
    void leavesToTheRetryPolicyWhatTheErrorHandlerDoesNotDecide() {
        Exception thrown = new Exception("out of stock");

        assertThatThrownBy(() -> invoke(new Failing(thrown, null), "a")).isSameAs(thrown);
        assertThat(said).containsExactly("a handling 1", "a failed out of stock");
    }

    @Test
    void asksNoErrorHandlerAboutWhatIsNoFaultOfTheMessage() {
        Exception deadlock = new TransientQueueException("deadlock", new SQLException("deadlock", "40001", 1213));
        for (Exception thrown : List.of(deadlock, new InterruptedException())) {
            assertThatThrownBy(() -> invoke(new Failing(thrown, Outcome.done())))
                    .isSameAs(thrown);
        }
        assertThat(transactions.asked).doesNotContain("undo acidq_handler");
    }

    @Test
    void surroundsABatchWithTheInterceptorsOnce() throws Exception {
        assertThat(invokeBatch(BatchHandler::allDone, 2, "a")).containsExactly(Outcome.done(), Outcome.done());
        assertThat(said).containsExactly("a handling 2", "a ended 2");
    }

    @Test
    void letsTheInterceptorsHearOfABatchHandlerThatReturnsTooLittle() {
        assertThatThrownBy(() -> invokeBatch(items -> List.of(), 1, "a")).isInstanceOf(QueueMisuseException.class);
        assertThat(said).hasSize(2).last().asString().startsWith("a failed a batch handler must return");
    }
}
