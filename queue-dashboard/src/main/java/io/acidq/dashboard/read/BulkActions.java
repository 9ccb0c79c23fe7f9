package io.acidq.dashboard.read;

import io.acidq.AcidqException;
import io.acidq.QueueMisuseException;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkCallback;
import io.acidq.admin.BulkCallback.BulkStatus;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.Operator;
import io.acidq.store.DeadLetterStore.BulkProgress;
import io.acidq.store.DeadLetterStore.OperatorAction;
import io.acidq.store.QueueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bulk actions on the dead letters of a database that take too long for a request. They run in threads of this process, at most two at once and one
 * for each queue, and use connections besides those of the requests. What they have done is in the audit log; what is here is lost with the process.
 * Thread-safe.
 */
public final class BulkActions {

    private static final Logger LOG = LoggerFactory.getLogger(BulkActions.class);
    private static final int THREADS = 2;
    private static final int MAX_WAITING = 20;
    private static final int MAX_ENDED = 20;
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Database database;
    private final ThreadPoolExecutor threads;

    /** The newest first. Guarded by itself. */
    private final Deque<Bulk> bulks = new ArrayDeque<>();

    BulkActions(Database database) {
        this.database = database;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE.toSeconds(), TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING), task -> {
                    Thread thread = new Thread(task, "acidq-dashboard-bulk-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Starts an action.
     *
     * @param matched how many match, as the caller has counted them
     * @throws QueueMisuseException when an action on this queue runs or waits in this process, or too many actions wait
     */
    public Bulk start(Kind kind, DeadLetterFilter filter, BulkAction action, long matched) {
        Bulk bulk = new Bulk(kind, filter, action, database.now(), matched);
        synchronized (bulks) {
            for (Bulk other : bulks) {
                if (other.isRunning() && other.filter().queue().equals(filter.queue())) {
                    throw new QueueMisuseException("a bulk " + other.kind().word() + " of queue '" + filter.queue()
                            + "' by " + other.action().operator().actor()
                            + " has not ended: wait for it, or stop it (bulk " + other.id() + ")");
                }
            }
            try {
                threads.execute(() -> run(bulk));
            } catch (RejectedExecutionException e) {
                throw new QueueMisuseException(
                        "too many bulk actions wait in this process: wait until one has ended", e);
            }
            bulks.addFirst(bulk);
            forgetOld();
        }
        return bulk;
    }

    private void forgetOld() {
        int ended = 0;
        for (var all = bulks.iterator(); all.hasNext(); ) {
            if (!all.next().isRunning() && ++ended > MAX_ENDED) {
                all.remove();
            }
        }
    }

    private void run(Bulk bulk) {
        try {
            DeadLetters letters = database.engine().deadLetters();
            BulkResult result = bulk.kind() == Kind.REPLAY
                    ? letters.replay(bulk.filter(), bulk.action(), bulk)
                    : letters.discard(bulk.filter(), bulk.action(), bulk);
            bulk.end(result);
        } catch (AcidqException e) {
            bulk.fail(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("The bulk {} {} failed", bulk.kind().word(), bulk.id(), e);
            bulk.fail("internal error; the log of the dashboard has it");
        } finally {
            database.shared().clear();
        }
    }

    /**
     * Stops an action after its current transaction, and records who stops it and why. If that cannot be recorded, the action stops nevertheless, and the same call again records it.
     *
     * @return whether the action was running
     */
    public boolean stop(Bulk bulk, Operator operator) {
        boolean running = bulk.isRunning();
        if (running || bulk.isStopUnrecorded()) {
            bulk.stop();
            bulk.stopUnrecorded = true;
            BulkStatus status = bulk.status();
            database.recordStop(
                    OperatorAction.of(operator),
                    new BulkProgress(
                            status.bulk(),
                            QueueStore.numberOf(bulk.filter().queue()),
                            bulk.filter().toString(),
                            status.matched(),
                            status.changed(),
                            status.lost(),
                            status.keyTaken()));
            bulk.stopUnrecorded = false;
        }
        return running;
    }

    /** Returns those of this process, the newest first. */
    public List<Bulk> all() {
        synchronized (bulks) {
            return new ArrayList<>(bulks);
        }
    }

    /** Returns one of this process. */
    public Optional<Bulk> find(String id) {
        return all().stream()
                .filter(bulk -> bulk.id().equals(id)
                        || (bulk.status().bulk() > 0
                                && String.valueOf(bulk.status().bulk()).equals(id)))
                .findFirst();
    }

    /** Starts none any more, stops all after their current transactions, and waits for them. */
    void close(Duration atMost) {
        threads.shutdown();
        all().forEach(Bulk::stop);
        try {
            threads.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The kind of a bulk action. */
    public enum Kind {
        REPLAY("replay"),
        DISCARD("discard");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** The action, as the audit log names it. */
        public String word() {
            return word;
        }
    }

    /** The state of a bulk action. */
    public enum State {
        /** It waits for a thread, or runs. */
        RUNNING,
        /** It has done all up to its limit. */
        DONE,
        /** A user has stopped it. */
        STOPPED,
        /** It has ended before its end, because of the database. */
        FAILED
    }

    /** A bulk action. Thread-safe. */
    public static final class Bulk implements BulkCallback {

        private final String id = "b" + UUID.randomUUID().toString().substring(0, 13);
        private final Kind kind;
        private final DeadLetterFilter filter;
        private final BulkAction action;
        private final Instant startedAt;
        private volatile BulkStatus status;
        private volatile State state = State.RUNNING;
        private volatile boolean stopping;
        private volatile boolean stopUnrecorded;
        private volatile @Nullable String error;

        private Bulk(Kind kind, DeadLetterFilter filter, BulkAction action, Instant startedAt, long matched) {
            this.kind = kind;
            this.filter = filter;
            this.action = action;
            this.startedAt = startedAt;
            this.status = new BulkStatus(0, matched, 0, 0, 0);
        }

        @Override
        public boolean proceed(BulkStatus now) {
            status = now;
            return !stopping;
        }

        private void stop() {
            stopping = true;
        }

        private boolean isStopUnrecorded() {
            return stopUnrecorded;
        }

        private void end(BulkResult result) {
            int done = result.changed() + result.lost() + result.keyTaken();
            state = stopping && done < Math.min(result.matched(), action.limit()) ? State.STOPPED : State.DONE;
        }

        private void fail(String text) {
            error = text;
            state = State.FAILED;
        }

        /** Identifies it in this process. */
        public String id() {
            return id;
        }

        public Kind kind() {
            return kind;
        }

        public DeadLetterFilter filter() {
            return filter;
        }

        public BulkAction action() {
            return action;
        }

        public Instant startedAt() {
            return startedAt;
        }

        public BulkStatus status() {
            return status;
        }

        public State state() {
            return state;
        }

        public boolean isRunning() {
            return state == State.RUNNING;
        }

        /** Whether it runs and will stop. */
        public boolean isStopping() {
            return stopping && isRunning();
        }

        /** Why it failed; null if it did not. */
        public @Nullable String error() {
            return error;
        }
    }
}
