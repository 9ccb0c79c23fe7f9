package io.acidq.chaos;

import io.acidq.chaos.audit.SnapshotAudit;
import io.acidq.chaos.environment.TargetServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A thread that audits the database every 3 seconds during a run, each time in one snapshot. After a slow audit it waits longer, so that audits take at most
 * a twentieth of the time. While a fault keeps the server away, it skips the audit.
 */
final class SnapshotWatcher {

    private static final long INTERVAL_MILLIS = 3000;

    /** The pause is at least this many times as long as the last audit. */
    private static final int PAUSE_FACTOR = 20;

    private final TargetServer target;
    private final SnapshotAudit snapshotAudit = new SnapshotAudit();
    private final Set<String> violations = new ConcurrentSkipListSet<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "watch");

    SnapshotWatcher(TargetServer target) {
        this.target = target;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long took = 0;
        try {
            while (!closed.await(Math.max(INTERVAL_MILLIS, PAUSE_FACTOR * took), TimeUnit.MILLISECONDS)) {
                long start = System.nanoTime();
                try (Connection connection = target.connect()) {
                    violations.addAll(snapshotAudit.check(connection));
                } catch (SQLException e) { // a fault keeps the server away: the next audit sees the same rows
                }
                took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    List<String> violations() {
        return List.copyOf(violations);
    }

    long checks() {
        return snapshotAudit.checks();
    }

    void stop() throws InterruptedException {
        closed.countDown();
        thread.join();
    }
}
