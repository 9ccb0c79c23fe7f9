package io.acidq.test;

import io.acidq.QueueMisuseException;
import io.acidq.admin.Operator;
import io.acidq.codec.Codec;
import io.acidq.config.Listener;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.engine.ManualEngine;
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
 * Controls an engine in a test, over the real tables. It shows the enqueued messages, runs them on the calling thread, advances the clock, and simulates
 * crashes of the process. The engine must not be started, because its threads would take the messages.
 *
 * <p>On a thread with an open transaction (a test with {@code @Transactional}) everything happens in that transaction: messages that it enqueued are
 * visible, handlers run between its savepoints, nothing is committed, and its rollback undoes everything. On any other thread everything is committed, as
 * in production. Only one thread can drain at a time.
 */
public final class TestQueue {

    private static final int MAX_ROUNDS = 1_000;

    private final Engine engine;
    private final EngineDefinition definition;
    private final Transactions transactions;
    private final TestTables tables = new TestTables();
    private final TestClock clock = new TestClock(this::age);
    private final Map<Integer, String> names = new ConcurrentHashMap<>();
    private final Drain drain;

    private TestQueue(Engine engine) {
        this.engine = engine;
        this.definition = EngineDefinition.of(engine);
        this.transactions = definition.store().transactions();
        this.drain = new Drain(
                new EngineView(definition, tables),
                queue -> engine.listener(queue).isPaused());
    }

    /**
     * Returns a test queue that controls this engine. The engine can no longer be started. If it has listeners of topics, adds their subscriptions,
     * for which the tables must be there.
     *
     * @throws QueueMisuseException if the engine is started already, with or without listeners, or if a subscription exists with another filter than its listener has
     */
    public static TestQueue of(Engine engine) {
        ManualEngine.takeOver(engine);
        ManualEngine.subscribeListeners(engine);
        return new TestQueue(engine);
    }

    /**
     * Returns the messages of all queues that are neither completed nor dead, in the order of enqueuing. With a transaction on this thread these are the
     * messages that it sees, otherwise the committed ones.
     */
    public List<EnqueuedMessage> messages() {
        return inTransaction(() -> tables.messages(connection(), this::name));
    }

    /** Returns the clock that advances the time for the queue's tables. */
    public TestClock clock() {
        return clock;
    }

    /** Runs messages of all listeners on this thread until none is due. See {@link #drain(String...)}. */
    public DrainResult drain() {
        return drain.run(queue -> true, isInside());
    }

    /**
     * Runs messages of these queues on this thread until none is due, including messages that their handlers enqueue there.
     *
     * @param queues the queues, each with a listener; none for the queues of all listeners
     * @throws QueueMisuseException if a queue has no listener, if a handler calls this method, or if the transaction on this thread is read-only
     */
    public DrainResult drain(String... queues) {
        return drain.run(chosen(queues), isInside());
    }

    /**
     * Enqueues the message of a recurring message now, as an operator does: {@link io.acidq.admin.RecurringMessages#trigger}. It is run by the next drain.
     *
     * @param name the name of one that the engine declares, or that was put
     * @return false when the previous message has not ended and this one must not overlap
     * @throws QueueMisuseException when there is none of this name
     */
    public boolean trigger(String name) {
        return drain.withEngine(isInside(), manual -> {
            manual.recurring().declareMissing(definition.recurring());
            return manual.recurring().trigger(name, new Operator("TestQueue", "trigger"));
        });
    }

    /**
     * Enqueues the messages of all recurring messages whose ticks are due, as the engine does by itself in production. They are run by the next
     * drain. {@link #clock} makes ticks due; those that are then older than their grace are misfires.
     */
    public void enqueueDueTicks() {
        drain.withEngine(isInside(), manual -> {
            manual.recurring().declareMissing(definition.recurring());
            manual.enqueueDueTicks();
            return true;
        });
    }

    /**
     * Drains as {@link #drain()} does, but not in the transaction on this thread, which has ended. Empty if another drain is running; that drain then
     * runs the messages.
     */
    Optional<DrainResult> drainCommitted() {
        return drain.runCommitted();
    }

    /**
     * Empties all queues of the database for the next test. Removes all messages, including scheduled and parked ones, dead letters, keys, and the content of
     * the inbox and the archive, in the transaction on this thread or in its own. Resumes paused queues and listeners, which a rollback would not resume, and
     * resets {@link #crashAt}.
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
        Set<Integer> paused =
                all.isEmpty() ? Set.of() : definition.store().queues().paused(all.keySet());
        for (int queue : paused) {
            engine.control().resume(Objects.requireNonNull(all.get(queue)), new Operator("TestQueue", "clear"));
        }
    }

    /**
     * Runs messages, and advances the clock to the next due time, until no message is left. All retries and snoozes run to their end.
     *
     * @param queues the queues, each with a listener; none for the queues of all listeners
     * @throws AssertionError if messages are left after 1,000 advances of the clock
     */
    public DrainResult drainIncludingScheduled(String... queues) {
        Predicate<String> selected = queues.length == 0 ? served()::contains : chosen(queues);
        DrainResult result = drain(queues);
        for (int round = 0; result.crashedAt().isEmpty(); round++) {
            Duration next = messages().stream()
                    .filter(m -> selected.test(m.id().queue()))
                    .map(EnqueuedMessage::dueIn)
                    .filter(due -> !due.isNegative() && !due.isZero())
                    .min(Duration::compareTo)
                    .orElse(Duration.ZERO);
            if (next.isZero()) {
                return result;
            }
            if (round == MAX_ROUNDS) {
                throw new AssertionError(
                        "after " + MAX_ROUNDS + " advances of the clock messages are left: " + messages()
                                + "\nA handler that always snoozes, or enqueues its own message again, never ends");
            }
            age(next);
            result = result.and(drain(queues));
        }
        return result;
    }

    /**
     * Lets the process crash in the next drain when it first reaches this point, as after a kill: nothing more is written, open transactions are rolled back,
     * and claims stay. The following drain simulates another process. It first requeues the claims of the crashed process, without waiting for missed
     * heartbeats.
     */
    public TestQueue crashAt(CrashPoint crashPoint) {
        if (crashPoint == null) {
            throw new QueueMisuseException("the crash point is null: give one of " + List.of(CrashPoint.values()));
        }
        drain.crashAt(crashPoint);
        return this;
    }

    /**
     * Asserts that the effects of a message happen exactly once, wherever the process crashes. For each crash point the method enqueues, drains up to the
     * crash, drains as the next process, and calls the check. It then frees the keys of queues and of the inbox that were taken meanwhile.
     *
     * @param enqueue enqueues one message that is due; it is called in a transaction
     * @param check   asserts that the effects happened once
     * @throws AssertionError if the process does not reach a point, or the next process does not complete the message
     */
    public void assertExactlyOnce(Runnable enqueue, Consumer<CrashPoint> check) {
        for (CrashPoint crashPoint : CrashPoint.values()) {
            Taken before = inTransaction(() -> {
                Taken taken = tables.taken(connection());
                enqueue.run();
                return taken;
            });
            if (crashAt(crashPoint).drain().crashedAt().isEmpty()) {
                throw new AssertionError(
                        "the process never reached " + crashPoint
                                + ": enqueue a due message of a queue with a listener; if an earlier message holds its key, call clear() first");
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
        return definition.codec();
    }

    /** Whether to use the transaction on this thread, which must not be read-only. */
    private boolean isInside() {
        boolean inside = transactions.current() != null;
        if (inside && transactions.isReadOnly()) {
            throw new QueueMisuseException(
                    "the transaction on this thread is read-only, and a test queue writes in it: remove readOnly = true"
                            + " from the test, or end its transaction before");
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

    /** Reads committed names, because the snapshot of the transaction on this thread can be older than a queue that it has just used. */
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
                        + "', so it cannot be drained; there are listeners of " + served);
            }
        }
        Set<String> which = Set.of(queues);
        return queues.length == 0 ? served::contains : which::contains;
    }

    private Set<String> served() {
        Set<String> served = new TreeSet<>();
        definition.listeners().stream().map(Listener::queue).forEach(served::add);
        return served;
    }
}
