package io.acidq.store;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Maintenance that is not asked for; tests override what they need. */
public abstract class UnusedMaintenanceStore implements MaintenanceStore {

    @Override
    public Moved moveDue() {
        throw unused();
    }

    @Override
    public Pruned pruneInbox(int limit) {
        throw unused();
    }

    @Override
    public Pruned pruneKeys(int limit) {
        throw unused();
    }

    @Override
    public Pruned pruneDead(Function<String, @Nullable Duration> keep, int limit) {
        throw unused();
    }

    @Override
    public Pruned pruneArchive(int limit) {
        throw unused();
    }

    @Override
    public Pruned pruneAudit(Duration age, int limit) {
        throw unused();
    }

    @Override
    public Pruned pruneNodes(Duration age, int limit) {
        throw unused();
    }

    @Override
    public Pruned pruneCrashes(int limit) {
        throw unused();
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("this test needs no maintenance");
    }
}
