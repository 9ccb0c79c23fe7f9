package io.acidq.engine.loop;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Wakes the threads of this process that wait for the end of a message, when a worker of this engine has ended it. Each wake-up is a hint: a lost one costs
 * latency. Thread-safe.
 */
public final class ReceiptSignals implements Telemetry {

    private final Map<UUID, Set<WakeUps.Signal>> waiting = new ConcurrentHashMap<>();

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        if (id.hasReceipt()) {
            waiting.getOrDefault(id.uid(), Set.of()).forEach(WakeUps.Signal::wake);
        }
    }

    /** Begins a wait for the end of a message. */
    public Wait begin(UUID uid) {
        WakeUps.Signal signal = new WakeUps.Signal();
        waiting.compute(uid, (u, signals) -> {
            Set<WakeUps.Signal> all = signals == null ? ConcurrentHashMap.newKeySet() : signals;
            all.add(signal);
            return all;
        });
        return new Wait(uid, signal);
    }

    /** A wait of one thread. It is woken by each end after its begin. */
    public final class Wait implements AutoCloseable {

        private final UUID uid;
        private final WakeUps.Signal signal;

        private Wait(UUID uid, WakeUps.Signal signal) {
            this.uid = uid;
            this.signal = signal;
        }

        /** Waits for the next end, at most this long. */
        public void await(Duration atMost) throws InterruptedException {
            signal.await(atMost);
        }

        @Override
        public void close() {
            waiting.computeIfPresent(uid, (u, signals) -> {
                signals.remove(signal);
                return signals.isEmpty() ? null : signals;
            });
        }
    }
}
