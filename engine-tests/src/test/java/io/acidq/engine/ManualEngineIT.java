package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.testservers.ServerKind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An engine without threads, on a real server. */
@AnyServer(ServerKind.MARIADB)
class ManualEngineIT extends FreshEngineTests {

    /** A drain that took long ended with due messages left. */
    @Test
    void runsAMessageWhenItsHeartbeatHasBecomeStaleAfterTheLookAtIt() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (Engine engine = Engine.builder(store)
                .config(QUICK)
                .listen(on("steps", this::effect))
                .build()) {
            ManualEngine.takeOver(engine);
            enqueue("steps", new Step("a", 1));
            try (ManualEngine manual = new ManualEngine(EngineDefinition.of(engine), queue -> false, nanos::get)) {
                boolean ran = manual.runOnce(queue -> {
                    nanos.compareAndSet(0, Duration.ofMinutes(1).toNanos()); // after the look at the heartbeat
                    return true;
                });
                assertThat(ran).isTrue();
                assertThat(effects()).isOne();
            }
        }
    }
}
