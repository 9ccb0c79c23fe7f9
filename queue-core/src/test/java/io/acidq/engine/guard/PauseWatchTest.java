package io.acidq.engine.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.engine.duty.QuietServer;
import io.acidq.engine.duty.Signals;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PauseWatchTest {

    private final QuietServer server = new QuietServer();
    private final Pauses pauses = new Pauses(new Signals(), new Telemetry() {});
    private final PauseWatch watch =
            new PauseWatch(queues(), pauses, List.of(new QueueRow(1, "one", 64)), server.stillness);
    private Set<Integer> paused = Set.of();
    private int reads;

    @Test
    void readsOnceASecondWhileNothingIsKnownOfCommits() {
        assertThat(watch.runOnce()).isEqualTo(Duration.ofSeconds(1));
        assertThat(watch.runOnce()).isEqualTo(Duration.ofSeconds(1));
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void readsNotWhileNobodyCommitsAnythingButOnceInTenSeconds() {
        server.begin();
        for (int second = 0; second < 10; second++) {
            assertThat(watch.runOnce()).isEqualTo(Duration.ofSeconds(1));
            server.pass(Duration.ofSeconds(1));
        }
        assertThat(reads).isEqualTo(1);
        watch.runOnce();
        assertThat(reads).isEqualTo(2);
    }

    @Test
    void seesAtItsNextTurnThatSomebodyElseHasPausedAQueue() {
        server.begin();
        watch.runOnce();
        paused = Set.of(1);
        server.end();
        watch.runOnce();
        assertThat(pauses.isPaused(1)).isTrue();
    }

    private QueueStore queues() {
        return (QueueStore) Proxy.newProxyInstance(
                QueueStore.class.getClassLoader(), new Class<?>[] {QueueStore.class}, (proxy, method, args) -> {
                    assertThat(method.getName()).isEqualTo("paused");
                    reads++;
                    return paused;
                });
    }
}
