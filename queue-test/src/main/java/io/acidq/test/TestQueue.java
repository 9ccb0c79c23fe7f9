package io.acidq.test;

import io.acidq.QueueMisuseException;
import io.acidq.codec.Codec;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.listener.EngineParts;
import io.acidq.store.Transactions;
import io.acidq.test.TestTables.Taken;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * An engine in a test's hands, over the real tables: shows what is enqueued, runs it on the calling thread, lets time pass, and kills the process
 * where the test wants. The engine itself must not be started, or its threads take the messages away.
 *
 * <p>On a thread with an open transaction (a test with {@code @Transactional}) everything happens inside that transaction: what it has enqueued
 * is seen, handlers run between savepoints of it, nothing is committed, and its rollback leaves nothing behind. On any other thread everything
 * is committed, as in production. One thread at a time drains.
 */
public final class TestQueue {

    private static final int MOST_ROUNDS = 1_000;

    private final Engine engine;
    private final EngineParts parts;
    private final Transactions transactions;
    private final TestTables tables = new TestTables();
    private final TestClock clock = new TestClock(this::age);
    private final Map<Integer, String> names = new ConcurrentHashMap<>();
    private final Drain drain;

    private TestQueue(Engine engine) {
        this.engine = engine;
        this.parts = engine.parts();
        this.transactions = parts.store().transactions();
        this.drain = new Drain(
                new EngineView(parts, tables), queue -> engine.listener(queue).isPaused());
    }

    /** Takes an engine over; it starts nothing from now on. */
    public static TestQueue of(Engine engine) {
        if (engine.isRunning()) {
            throw new QueueMisuseException(
                    "the engine runs already, and its threads would take the messages from the test:"
                            + " do not start it");
        }
        engine.stepped();
        return new TestQueue(engine);
    }

    /**
     * What is enqueued and neither done nor dead, of every queue, in order: as the transaction on this thread sees it, or as it is committed.
     * What has been drained is not here any more.
     */
    public List<EnqueuedMessage> messages() {
        return inTransaction(() -> tables.messages(connection(), this::name));
    }

    /** Lets time pass for what is enqueued. */
    public TestClock clock() {
        return clock;
    }

    /** Runs what is due until nothing is, on this thread: {@link #drain(String...)} for all listeners. */
    public DrainResult drain() {
        return drain.run(queue -> true, isInside());
    }

    /**
     * Runs what is due of these queues, and what its handlers enqueue there, until nothing is.
     *
     * @param queues each with a listener
     * @throws QueueMisuseException when one of them has none
     */
    public DrainResult drain(String... queues) {
        return drain.run(chosen(queues), isInside());
    }

    /** As {@link #drain()}, outside of the transaction on this thread, which has ended; empty when a drain is under way, which then does it. */
    Optional<DrainResult> drainCommitted() {
        return drain.runCommitted();
    }

    /**
     * Empties the queues for the next test: removes all messages, also scheduled ones and those set aside, dead letters, keys, and what the inbox and the archive
     * hold, in the transaction on this thread or in one of its own; resumes what was paused, queues and listeners, which no rollback would; and forgets
     * {@link #crashAt}. Concerns the whole database.
     */
    public void clear() {
        isInside();
        drain.crashAt(null);
        engine.listeners(served()).resume();
        resumeQueues();
        inTransaction(() -> {
            tables.clear(connection());
            return Boolean.TRUE;
        });
    }

    private void resumeQueues() {
        Map<Integer, String> all = committedNames();
        Set<Integer> paused = all.isEmpty() ? Set.of() : parts.store().queues().paused(all.keySet());
        for (int queue : paused) {
            engine.control().resume(Objects.requireNonNull(all.get(queue)), "TestQueue", "clear");
        }
    }

    /**
     * Drains, and advances the clock to what is due next, until nothing waits: also through all retries and snoozes, to their end.
     *
     * @param queues of which; of all listeners when none is given
     */
    public DrainResult drainIncludingScheduled(String... queues) {
        Predicate<String> which = queues.length == 0 ? served()::contains : chosen(queues);
        DrainResult result = drain(queues);
        for (int round = 0; result.death().isEmpty(); round++) {
            Duration next = messages().stream()
                    .filter(m -> which.test(m.id().queue()))
                    .map(EnqueuedMessage::dueIn)
                    .filter(due -> !due.isNegative() && !due.isZero())
                    .min(Duration::compareTo)
                    .orElse(Duration.ZERO);
            if (next.isZero()) {
                return result;
            }
            if (round == MOST_ROUNDS) {
                throw new AssertionError("after " + MOST_ROUNDS + " advances of the clock messages still wait: "
                        + messages() + "\nA handler that always snoozes, or enqueues itself anew, never ends");
            }
            age(next);
            result = result.and(drain(queues));
        }
        return result;
    }

    /**
     * Lets the process die in the next drain, the first time that it comes to this point: nothing is written any more, open transactions are rolled back,
     * claims stay, as after a kill. The drain after that is another process, which first frees what the dead one held, without waiting for its
     * silence.
     */
    public TestQueue crashAt(CrashPoint crashPoint) {
        if (crashPoint == null) {
            throw new QueueMisuseException(
                    "the point at which the process is to die is null: name one of " + List.of(CrashPoint.values()));
        }
        drain.crashAt(crashPoint);
        return this;
    }

    /**
     * Shows that a message's work is done once, wherever the process dies: for each point enqueues, dies there, drains as the next process, and lets the
     * test look. Keys that were taken on the way, of queues and of the inbox, are free again for the next point.
     *
     * @param enqueue enqueues one message that is due, in a transaction that it is called in
     * @param check   asserts that its work was done once
     * @throws AssertionError when the process does not come to a point, or the next one does not do the work
     */
    public void assertExactlyOnce(Runnable enqueue, Consumer<CrashPoint> check) {
        for (CrashPoint crashPoint : CrashPoint.values()) {
            Taken before = inTransaction(() -> {
                Taken taken = tables.taken(connection());
                enqueue.run();
                return taken;
            });
            if (crashAt(crashPoint).drain().death().isEmpty()) {
                throw new AssertionError(
                        "the process never came to " + crashPoint
                                + ": was a due message of a listener enqueued, and is its key not taken by an earlier one, which clear() removes?");
            }
            drain().allDone();
            try {
                check.accept(crashPoint);
            } catch (AssertionError e) {
                throw new AssertionError("after a crash at " + crashPoint + ": " + e.getMessage(), e);
            }
            inTransaction(() -> {
                tables.free(connection(), before);
                return Boolean.TRUE;
            });
        }
    }

    Codec codec() {
        return parts.codec();
    }

    /** Whether everything is to happen in the transaction on this thread, which must be one that can be written in. */
    private boolean isInside() {
        boolean inside = transactions.current() != null;
        if (inside && transactions.isReadOnly()) {
            throw new QueueMisuseException(
                    "the transaction on this thread is read-only, and a test queue writes in it: take readOnly = true"
                            + " off the test, or end its transaction before");
        }
        return inside;
    }

    private void age(Duration time) {
        isInside();
        inTransaction(() -> {
            tables.age(connection(), time);
            return Boolean.TRUE;
        });
    }

    /** As committed: the snapshot of the transaction on this thread may be older than a queue that it has just used. */
    private String name(int queue) {
        String known = names.get(queue);
        if (known == null) {
            names.putAll(committedNames());
        }
        return Objects.requireNonNull(names.get(queue), "no queue has the number " + queue);
    }

    private Map<Integer, String> committedNames() {
        try {
            return transactions.inNew(() -> tables.queues(connection()));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection connection() {
        return Objects.requireNonNull(transactions.current());
    }

    private <T> T inTransaction(Callable<T> work) {
        try {
            return transactions.current() != null ? work.call() : transactions.inNew(work);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Predicate<String> chosen(String... queues) {
        Set<String> served = served();
        for (String queue : queues) {
            if (queue == null || !served.contains(queue)) {
                throw new QueueMisuseException("no listener serves queue '" + queue
                        + "', nothing of it can be drained; there are listeners of " + served);
            }
        }
        Set<String> which = Set.of(queues);
        return queues.length == 0 ? served::contains : which::contains;
    }

    private Set<String> served() {
        Set<String> served = new TreeSet<>();
        parts.listeners().stream().map(Listener::queue).forEach(served::add);
        return served;
    }
}
