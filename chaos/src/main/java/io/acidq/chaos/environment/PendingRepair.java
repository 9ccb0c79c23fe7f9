package io.acidq.chaos.environment;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What has been done to a server and is to be put right. Paid once, by whoever comes first. Thread-safe. */
public final class PendingRepair implements AutoCloseable {

    private final Repair repair;
    private final Consumer<PendingRepair> onDone;
    private final AtomicBoolean isDone = new AtomicBoolean();

    PendingRepair(Repair repair, Consumer<PendingRepair> paid) {
        this.repair = repair;
        this.onDone = paid;
    }

    /** Puts it right. */
    @Override
    public void close() {
        if (isDone.compareAndSet(false, true)) {
            try {
                repair.run();
            } catch (SQLException e) {
                throw new IllegalStateException("a server may still be as a fault has set it", e);
            } finally {
                onDone.accept(this);
            }
        }
    }

    /** How. */
    @FunctionalInterface
    public interface Repair {
        void run() throws SQLException;
    }
}
