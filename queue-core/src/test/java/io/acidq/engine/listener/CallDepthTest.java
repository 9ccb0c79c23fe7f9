package io.acidq.engine.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Delivery;
import io.acidq.Interceptor;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.engine.guard.PauseTracker;
import io.acidq.engine.loop.WakeUps;
import io.acidq.engine.node.NodeContext;
import io.acidq.store.ClaimStore;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The frames of the engine in the stack trace of an application's handler. */
class CallDepthTest {

    /** With transactions of two frames, {@code callHandler} and {@code inNew}. Those of an application have more, which their own tests count. */
    private static final int FRAMES = 9;

    private final List<String> frames = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void finished(MessageId id, Outcome outcome, Duration took) {
            ends.add("finished " + id + " " + outcome);
        }
    };

    @Test
    void needsNineFramesFromTheLoopOfAWorkerToTheHandler() {
        runOneMessage();

        assertThat(frames)
                .containsExactly(
                        "HandlerInvoker.lambda",
                        "Transactions.callHandler",
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
    void needsThreeMoreFramesToGuardInterceptors() {
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

        assertThat(frames).as("%s", frames).hasSize(FRAMES + 3);
        assertThat(ends).startsWith("intercepted");
    }

    /** Records the frames between the loop of the worker and this handler. */
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
        SimulatedTables tables = new SimulatedTables(StoreFlaw.NONE, new Random(1), () -> 0, new SimulationAuditor());
        NodeContext node = tables.newNode(telemetry);
        node.heartbeat().send();
        ClaimStore claims = (ClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[] {ClaimStore.class}, (proxy, method, args) -> {
                    ends.add(method.getName());
                    return true;
                });
        WakeUps wakeUps = new WakeUps();
        ListenerContainer.RunningListener run = SimulatedNode.container(
                        Listener.on("q", Integer.class, this::handle),
                        tables,
                        claims,
                        new FakeTransactions(),
                        List.of(interceptors),
                        wakeUps,
                        new PauseTracker(wakeUps, telemetry),
                        node)
                .run;
        run.buffer.put(List.of(SimulatedRow.message(1, 1, null, 0)), false);

        run.worker.run(() -> run.buffer.counts().unstarted() > 0);
    }
}
