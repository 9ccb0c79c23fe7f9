package io.acidq.engine.node;

import io.acidq.engine.loop.DatabaseMonitor;
import io.acidq.engine.loop.HistoryCounters;
import io.acidq.telemetry.Telemetry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The parts of a node that all its queues share.
 *
 * @param heartbeat        the heartbeat of the node
 * @param openClaims       its open claim transactions
 * @param suspectSlot      its permit to run a suspect
 * @param reconcilerSignal wakes the reconciler
 * @param cancelRequests   the claimed messages that operators have asked to cancel
 * @param nanoTime         the monotonic clock
 * @param history          counts what is done, for the history
 * @param telemetry        gets all events
 */
public record NodeContext(
        Heartbeat heartbeat,
        OpenClaims openClaims,
        SuspectSlot suspectSlot,
        CancelRequests cancelRequests,
        Runnable reconcilerSignal,
        LongSupplier nanoTime,
        HistoryCounters history,
        Telemetry telemetry) {

    /** Makes the reconciler check the claims of the node soon. */
    public void wakeReconciler() {
        reconcilerSignal.run();
    }

    public DatabaseMonitor database() {
        return heartbeat.database();
    }

    /** Returns the process and the host, as operators see them. */
    public static String processName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown-host";
        }
        return ProcessHandle.current().pid() + "@" + host;
    }

    /** Numbers the claim transactions of the node and remembers which are open. The reconciler ignores their claims and all later ones. Thread-safe. */
    public static final class OpenClaims {

        private final TreeSet<Long> open = new TreeSet<>();
        private long last;

        public synchronized long begin() {
            open.add(++last);
            return last;
        }

        public synchronized void end(long batch) {
            open.remove(batch);
        }

        /** Returns the number of the last claim transaction that has begun. */
        public synchronized long lastBatch() {
            return last;
        }

        /** Returns a number below which each claim is in a buffer by now, or failed. */
        public synchronized long firstOpenBatch() {
            return open.isEmpty() ? last + 1 : open.first();
        }
    }

    /** The claimed messages that operators have asked to cancel, as they were last read from the database. Thread-safe. */
    public static final class CancelRequests {

        private volatile Set<UUID> messages = Set.of();

        public Set<UUID> messages() {
            return messages;
        }

        public boolean contains(UUID message) {
            return messages.contains(message);
        }

        public void set(Set<UUID> read) {
            messages = Set.copyOf(read);
        }
    }

    /** The permit to claim a suspect: a node has one for all its queues. Thread-safe. */
    public static final class SuspectSlot {

        private final AtomicBoolean taken = new AtomicBoolean();

        /** Returns whether the caller may now claim a suspect. It must then call {@link #release} once: after the suspect has ended, or if it claims none. */
        public boolean tryAcquire() {
            return taken.compareAndSet(false, true);
        }

        public void release() {
            taken.set(false);
        }
    }
}
