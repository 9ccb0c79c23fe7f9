package io.acidq.chaos.arena;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** What has been done to a server and is to be put right. Paid once, by whoever comes first. Thread-safe. */
public final class PendingRepairs implements AutoCloseable {

    private final Payment payment;
    private final Consumer<PendingRepairs> paid;
    private final AtomicBoolean isPaid = new AtomicBoolean();

    PendingRepairs(Payment payment, Consumer<PendingRepairs> paid) {
        this.payment = payment;
        this.paid = paid;
    }

    /** Puts it right. */
    @Override
    public void close() {
        if (isPaid.compareAndSet(false, true)) {
            try {
                payment.pay();
            } catch (SQLException e) {
                throw new IllegalStateException("a server may still be as a fault has set it", e);
            } finally {
                paid.accept(this);
            }
        }
    }

    /** How. */
    @FunctionalInterface
    public interface Payment {
        void pay() throws SQLException;
    }
}
