package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Interceptor;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.guard.StartGuards;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.Heartbeat;
import io.acidq.engine.node.NodeContext;
import io.acidq.engine.node.OpenClaims;
import io.acidq.engine.node.SuspectSlot;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.NodeStore.NodeRow;
import io.acidq.telemetry.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a stack trace of an application's handler shows of the engine. */
class CallDepthTest {

    /** The documented way of a message has so many. */
    private static final int FRAMES = 9;

    private final List<String> frames = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void finished(MessageId id, Outcome outcome, Duration took) {
            ends.add("finished " + id + " " + outcome);
        }
    };
    private final MessageBuffer buffer = new MessageBuffer(() -> true, new SuspectSlot(), StartGuards.NONE);

    @Test
    void isNineFramesFromTheLoopOfAWorkerToTheHandler() {
        runOneMessage();

        assertThat(frames)
                .containsExactly(
                        "HandlerInvoker.lambda",
                        "Transactions.guard",
                        "HandlerInvoker.call",
                        "HandlerInvoker.invoke",
                        "MessageExecutor.lambda",
                        "FakeTransactions.inNew",
                        "MessageExecutor.execute",
                        "BatchExecutor.execute",
                        "Worker.execute")
                .hasSize(FRAMES);
        assertThat(ends)
                .containsExactly(
                        "ackIfClaimed", "finished " + new MessageId("q", 0, new UUID(0, 1)) + " " + Outcome.done());
    }

    @Test
    void isNoLongerWithInterceptors() {
        runOneMessage(new Interceptor() {
            @Override
            public Handling handling(List<Delivery> deliveries) {
                return new Handling() {
                    @Override
                    public void ended(List<Outcome> outcomes) {
                        ends.add("intercepted");
                    }

                    @Override
                    public void failed(Throwable failure) {}
                };
            }
        });

        assertThat(frames).hasSize(FRAMES);
        assertThat(ends).startsWith("intercepted");
    }

    /** Without the loop itself and what is above the handler. */
    private Outcome handle(Integer payload, Delivery delivery) {
        Arrays.stream(new Throwable().getStackTrace())
                .filter(frame -> frame.getClassName().startsWith("io.acidq."))
                .map(frame -> frame.getClassName().replaceAll(".*\\.", "") + "."
                        + frame.getMethodName().replaceAll("lambda.*", "lambda"))
                .skip(1)
                .takeWhile(frame -> !frame.equals("Worker.run"))
                .forEach(frames::add);
        return Outcome.done();
    }

    private void runOneMessage(Interceptor... interceptors) {
        DatabaseMonitor databaseMonitor =
                new DatabaseMonitor(EngineConfig.defaults().heartbeatInterval(), () -> 0, telemetry);
        databaseMonitor.reset(DatabaseState.UP);
        SimulatedTables tables = new SimulatedTables(StoreFlaw.NONE, new Random(1), () -> 0, new SimulationAuditor());
        Heartbeat heartbeat = new Heartbeat(
                new SimulatedNodes(tables, 1),
                () -> new NodeRow(Map.of(), "host", "test"),
                EngineConfig.defaults().heartbeatInterval(),
                dead -> {},
                databaseMonitor,
                telemetry);
        heartbeat.send();
        NodeContext node =
                new NodeContext(heartbeat, new OpenClaims(), new SuspectSlot(), () -> {}, () -> 0, telemetry);
        Listener<Integer> listener = Listener.on("q", Integer.class, this::handle);
        ClaimStore claims = (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> {
                    ends.add(method.getName());
                    return true;
                });
        OutcomeRecorder recorder =
                new OutcomeRecorder(listener, null, claims, buffer, node.reconcile(), telemetry, node.nanoTime());
        FakeTransactions transactions = new FakeTransactions();
        HandlerInvoker<Integer> invoker = new HandlerInvoker<>(
                listener,
                claims,
                transactions,
                new SimulatedCodec(),
                new InterceptorChain(List.of(interceptors), telemetry));
        BatchExecutor<Integer> executor = new BatchExecutor<>(listener, invoker, transactions, recorder);
        buffer.put(List.of(message(heartbeat.node())), false);

        new Worker(
                        "q",
                        buffer,
                        new PrefetchPolicy(1, 1),
                        new WakeUps().pollerSignal(1),
                        StartGuards.NONE,
                        executor,
                        recorder,
                        node,
                        1)
                .run(() -> buffer.counts().waiting() > 0);
    }

    private static ClaimedMessage message(int owner) {
        return new ClaimedMessage(
                new Claim(1, 0, 1, new UUID(0, 1), owner, 1),
                1,
                new UUID(0, 1),
                null,
                null,
                "T",
                "",
                new byte[] {0, 0, 0, 1},
                1,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                Duration.ZERO);
    }
}
