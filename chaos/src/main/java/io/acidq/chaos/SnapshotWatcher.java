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

/** Looks into a snapshot every few seconds while all goes on, less often when a look takes long; a server that is away is looked at later. */
final class SnapshotWatcher {

    private static final long EVERY_MILLIS = 3000;
    private static final int SHARE = 20;

    private final TargetServer targetServer;
    private final SnapshotAudit snapshotAudit = new SnapshotAudit();
    private final Set<String> violations = new ConcurrentSkipListSet<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "watch");

    SnapshotWatcher(TargetServer targetServer) {
        this.targetServer = targetServer;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long took = 0;
        try {
            while (!closed.await(Math.max(EVERY_MILLIS, SHARE * took), TimeUnit.MILLISECONDS)) {
                long began = System.nanoTime();
                try (Connection connection = targetServer.connect()) {
                    violations.addAll(snapshotAudit.check(connection));
                } catch (SQLException e) { // the server is being harmed
                }
                took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
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
