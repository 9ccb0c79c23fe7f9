package io.acidq.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.config.Workers;
import io.acidq.engine.duty.Hints;
import io.acidq.engine.enqueue.FreeWorkers;
import io.acidq.engine.guard.Guards;
import io.acidq.engine.guard.Holds;
import io.acidq.engine.node.NodeParts;
import io.acidq.engine.node.Probation;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Workers of which each is always in a handler, unless the test makes one wait. */
class ScalerTest {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong();
    private final Buffer buffer = new Buffer(() -> true, new Probation());
    private final Pace pace = new Pace(2, 1);
    private final List<String> told = new ArrayList<>();
    private final Staff staff = new Staff("q", null, now::get, () -> {});
    private final Scaler scaler = scaler(Workers.between(2, 16).withIdle(IDLE));

    private Scaler scaler(Workers limits) {
        staff.want(limits.min());
        Telemetry telemetry = new Telemetry() {
            @Override
            public void workersChanged(String queue, int from, int to) {
                told.add(queue + " " + from + "-" + to);
            }
        };
        QueueParts parts = new QueueParts(
                new QueueRow(1, "q", 64),
                buffer,
                pace,
                new Hints(),
                new Holds(Guards.NONE, () -> false),
                ClaimStrategy.LANES,
                new FreeWorkers());
        return new Scaler(parts, limits, staff, new NodeParts(null, null, null, () -> {}, now::get, telemetry));
    }

    @Test
    void doublesTheWorkersUpToTheMostWhileAllAreBusyAndMuchWaits() throws Exception {
        handlersTake(Duration.ofMillis(50));
        wait(100);
        run(2);
        look(6);
        assertThat(told).containsExactly("q 2-4", "q 4-8", "q 8-16");
        assertThat(staff.wanted()).isEqualTo(16);
    }

    @Test
    void hiresNobodyForWorkThatIsOverInAMoment() throws Exception {
        handlersTake(Duration.ofMillis(1));
        wait(30);
        run(2);
        look(20);
        assertThat(told).as("28 for two workers: 14 ms").isEmpty();
    }

    @Test
    void hiresNobodyForABurstThatIsSeenOnce() throws Exception {
        handlersTake(Duration.ofMillis(50));
        wait(100);
        List<ClaimedMessage> running = run(2);
        look(1);
        running.forEach(m -> buffer.finished(m, false));
        run(98);
        look(1);
        assertThat(told).isEmpty();
    }

    @Test
    void hiresNoMoreThanCouldStart() throws Exception {
        handlersTake(Duration.ofSeconds(5));
        wait(3);
        run(2);
        look(2);
        assertThat(told).containsExactly("q 2-3");
    }

    @Test
    void givesBackWhatWasNotNeededForTheIdleTimeButNotBelowTheLeast() throws Exception {
        handlersTake(Duration.ofMillis(50));
        wait(100);
        List<ClaimedMessage> running = run(2);
        look(6);
        running.forEach(m -> buffer.finished(m, false));
        buffer.removeUnstarted();
        told.clear();
        for (int i = 0; i < 16; i++) {
            waitForWork();
        }
        now.addAndGet(IDLE.toNanos() - 1);
        look(1);
        assertThat(told).isEmpty();
        now.addAndGet(2 * IDLE.toNanos()); // the first time since it grew still saw all of them busy
        look(1);
        now.addAndGet(IDLE.toNanos());
        look(1);
        assertThat(told).containsExactly("q 16-2");
        buffer.close();
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            scaler.runOnce();
        }
    }

    private void handlersTake(Duration time) {
        pace.ran(time);
    }

    private void wait(int messages) {
        buffer.add(LongStream.rangeClosed(1, messages)
                .mapToObj(id -> new ClaimedMessage(
                        new Claim(1, 0, id, new UUID(0, id), 1, 1),
                        1,
                        new UUID(0, id),
                        null,
                        null,
                        "type",
                        "",
                        new byte[0],
                        1,
                        0,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Duration.ZERO))
                .toList());
    }

    private List<ClaimedMessage> run(int messages) throws InterruptedException {
        List<ClaimedMessage> running = new ArrayList<>();
        for (int i = 0; i < messages; i++) {
            running.addAll(buffer.take(Duration.ZERO, 1));
        }
        return running;
    }

    private void waitForWork() {
        int before = buffer.takers();
        Thread taker = new Thread(() -> {
            try {
                buffer.take(Duration.ofMinutes(1), 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        taker.setDaemon(true);
        taker.start();
        while (buffer.takers() == before) {
            Thread.onSpinWait();
        }
    }
}
