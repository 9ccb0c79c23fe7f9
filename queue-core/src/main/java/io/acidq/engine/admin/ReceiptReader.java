package io.acidq.engine.admin;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt;
import io.acidq.Receipts;
import io.acidq.TransientQueueException;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.codec.Codec;
import io.acidq.codec.UndecodableException;
import io.acidq.engine.enqueue.QueueRegistry;
import io.acidq.engine.loop.ReceiptSignals;
import io.acidq.store.DatabaseError;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.ReceiptStore;
import io.acidq.store.ReceiptStore.ReceiptRow;
import io.acidq.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads receipts, and waits for the ends of messages. Thread-safe. */
public final class ReceiptReader implements Receipts {

    /** How long {@link #committed} waits for the server. */
    private static final Duration UNDECIDED = Duration.ofMinutes(1);

    private static final Duration FIRST_WAIT = Duration.ofMillis(2);
    private static final Duration MAX_WAIT = Duration.ofMillis(50);

    private final Store store;
    private final QueueRegistry queues;
    private final Codec codec;
    private final ReceiptSignals signals;

    public ReceiptReader(Store store, QueueRegistry queues, Codec codec, ReceiptSignals signals) {
        this.store = store;
        this.queues = queues;
        this.codec = codec;
        this.signals = signals;
    }

    @Override
    public Committed committed(MessageId id) {
        requireNoTransaction("committed(" + id + ")", "it would wait for the transaction that enqueued the message");
        if (!id.hasReceipt()) {
            return Committed.NOT_TRACKED;
        }
        long start = System.nanoTime();
        while (true) {
            try {
                return store.receipts().committed(id.uid());
            } catch (TransientQueueException e) { // the transactions of the store wait for a few seconds only
                boolean undecided = DatabaseError.of(e) == DatabaseError.LOCK_TIMEOUT;
                if (undecided
                        && System.nanoTime() - start < UNDECIDED.toNanos()
                        && !Thread.currentThread().isInterrupted()) {
                    continue;
                }
                throw undecided
                        ? new TransientQueueException(
                                "the server has not decided yet whether the transaction that enqueued " + id
                                        + " is committed: ask again",
                                e)
                        : e;
            }
        }
    }

    @Override
    public Optional<Receipt> find(MessageId id) {
        Objects.requireNonNull(id, "id");
        return id.hasReceipt() ? store.receipts().find(id.uid()).map(row -> receipt(id, row)) : Optional.empty();
    }

    @Override
    public Optional<Receipt> findByKey(String queue, String key) {
        InputChecks.checkWantedKey("key", Objects.requireNonNull(key, "key"));
        QueueRow row = queues.existing(queue);
        return store.inspection()
                .keyHolder(row, key)
                .map(id -> find(id).orElseGet(() -> receipt(id, withoutReceipt(row, id))));
    }

    private ReceiptRow withoutReceipt(QueueRow queue, MessageId id) {
        Optional<StoredMessage> message = store.inspection().findMessage(queue, id);
        if (message.isPresent()) {
            boolean dead = message.get().state() == MessageState.DEAD;
            return row(
                    dead ? Receipt.State.DEAD : Receipt.State.PENDING,
                    dead ? message.get().dueAt() : null);
        }
        return store.inspection()
                .findArchived(queue, id.uid())
                .map(done -> row(Receipt.State.DONE, done.doneAt()))
                .orElseGet(() -> row(Receipt.State.GONE, null));
    }

    private static ReceiptRow row(Receipt.State state, @Nullable Instant endedAt) {
        return new ReceiptRow(state, "", null, endedAt, null);
    }

    @Override
    public Optional<Receipt> await(MessageId id, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(id, "id");
        InputChecks.require(
                timeout != null, "the time to wait for " + id + " is null: say how long to wait, or use find(id)");
        InputChecks.require(
                !timeout.isNegative(), "the time to wait for " + id + " must not be negative, was " + timeout);
        if (!id.hasReceipt()) {
            throw new QueueMisuseException("message " + id
                    + " was enqueued without a receipt, so its end is not recorded: enqueue it with options().receipt() or options().result(…)."
                    + " A message that was replaced keeps the receipt of its first enqueue, or none");
        }
        requireNoTransaction("await(" + id + ")", "a message that it enqueues does not run before its commit");
        long end = System.nanoTime() + saturatedNanos(timeout);
        try (ReceiptSignals.Wait wait = signals.begin(id.uid())) {
            Duration next = FIRST_WAIT;
            while (true) {
                Optional<Receipt> receipt = findUnlessInterrupted(id);
                long left = end - System.nanoTime();
                if (left <= 0 || receipt.filter(Receipt::isEnded).isPresent()) {
                    return receipt;
                }
                wait.await(next.toNanos() < left ? next : Duration.ofNanos(left));
                if (Thread.interrupted()) { // also when the wait was not entered, because it was woken before
                    throw interrupted(id);
                }
                next = next.multipliedBy(2).compareTo(MAX_WAIT) < 0 ? next.multipliedBy(2) : MAX_WAIT;
            }
        }
    }

    /** Reads a receipt. An interrupt ends the wait for a connection of a pool, and closes the socket of a virtual thread; both fail with exceptions of their own. */
    private Optional<Receipt> findUnlessInterrupted(MessageId id) throws InterruptedException {
        try {
            return find(id);
        } catch (RuntimeException e) {
            if (Thread.interrupted() || isCausedByInterrupt(e)) { // some pools clear the flag
                InterruptedException interrupted = interrupted(id);
                interrupted.initCause(e);
                throw interrupted;
            }
            throw e;
        }
    }

    private static boolean isCausedByInterrupt(Throwable thrown) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>()); // causes can form a cycle
        for (Throwable cause = thrown; cause != null && seen.add(cause); cause = cause.getCause()) {
            if (cause instanceof InterruptedException) {
                return true;
            }
        }
        return false;
    }

    private static InterruptedException interrupted(MessageId id) {
        return new InterruptedException("interrupted while waiting for the end of " + id);
    }

    private static long saturatedNanos(Duration timeout) {
        return timeout.compareTo(Duration.ofDays(36_500)) < 0
                ? timeout.toNanos()
                : Duration.ofDays(36_500).toNanos();
    }

    private void requireNoTransaction(String what, String why) {
        if (store.transactions().current() != null) {
            throw new QueueMisuseException(
                    what + " was called in a transaction, and " + why + ": call it after the transaction has ended");
        }
    }

    private Receipt receipt(MessageId id, ReceiptRow row) {
        return new StoredReceipt(id, row, codec);
    }

    /** A receipt as it was read. */
    private record StoredReceipt(MessageId id, ReceiptRow row, Codec codec) implements Receipt {

        @Override
        public State state() {
            return row.state();
        }

        @Override
        public Optional<Instant> endedAt() {
            return Optional.ofNullable(row.endedAt());
        }

        @Override
        public Optional<Instant> keptUntil() {
            return Optional.ofNullable(row.keptUntil());
        }

        @Override
        public <T> Optional<T> result(Class<T> type) {
            byte[] bytes = keptResult();
            return bytes == null ? Optional.empty() : Optional.of(decode(bytes, type));
        }

        private <T> T decode(byte[] bytes, Class<T> type) {
            try {
                return codec.decode(new Codec.Encoded(row.type(), bytes), type);
            } catch (UndecodableException e) {
                throw new UndecodableException(
                        "the result of " + id + " is stored as a '" + row.type() + "' and cannot be read as "
                                + type.getName()
                                + ": ask for the class that its handler returned, or use encodedResult()",
                        e);
            }
        }

        @Override
        public Optional<String> resultError() {
            byte[] bytes = row.result();
            return bytes != null && row.type().equals(ReceiptStore.RESULT_NOT_KEPT)
                    ? Optional.of(new String(bytes, StandardCharsets.UTF_8))
                    : Optional.empty();
        }

        @Override
        public Optional<EncodedResult> encodedResult() {
            byte[] bytes = keptResult();
            return bytes == null ? Optional.empty() : Optional.of(new EncodedResult(row.type(), bytes));
        }

        private byte @Nullable [] keptResult() {
            return row.type().equals(ReceiptStore.RESULT_NOT_KEPT) ? null : row.result();
        }

        @Override
        public String toString() {
            return id + " " + row.state() + endedAt().map(at -> " since " + at).orElse("");
        }
    }
}
