package io.acidq.telemetry;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.resilience.GuardState;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Locking;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Hears of every transition. Called on the engine's threads after the fact, outside any transaction; must be quick and
 * thread-safe. What it throws is logged and changes nothing.
 */
public interface Telemetry {

    /** The engine starts, has tried what the server does with locks, and will claim the queue so. */
    default void claimStrategyChosen(String queue, ClaimStrategy strategy, Locking locking) {}

    /** The queue holds messages with an ordering key, which its strategy leaves alone here. Told once in the life of a listener. */
    default void strategyIgnoresOrderingKeys(String queue, ClaimStrategy strategy) {}

    /**
     * A claim brought messages.
     *
     * @param took how long the claim's transaction took, with the wait for its connection
     */
    default void claimed(String queue, int messages, Duration took) {}

    /** A run ended and its outcome (done, retry, snooze, cancelled, dead) is in the database. */
    default void finished(MessageId id, Outcome outcome, Duration took) {}

    /** A run ended for no fault of the message (deadlock, lost connection, stop): it will run again, its attempt given back. */
    default void requeued(MessageId id, Throwable cause) {}

    /**
     * A message has been claimed so often (100, 200, … times) without a counted attempt: it is snoozed or given back again and
     * again, which nothing ends but a maximum age.
     */
    default void claimedWithoutAttempt(MessageId id, int claims) {}

    /** A breaker or a rate limit of the queue changed its status in this engine; of a breaker that queues share, each hears. */
    default void guardChanged(String queue, GuardState state) {}

    /** The number of a queue's workers in this engine has changed: more with the backlog, or fewer after an idle time. */
    default void workersChanged(String queue, int from, int to) {}

    /**
     * A transaction that held several messages was lost as a whole (deadlock, lost connection, timeout, an exception of a batch handler): each of them
     * is run again in one of its own.
     */
    default void batchSplit(String queue, int messages, Throwable cause) {}

    /** A run was worthless: the claim had been lost, and the handler's transaction was rolled back. */
    default void fenced(MessageId id) {}

    /** This engine registered as a node. */
    default void registered(int node) {}

    /** This engine had been declared dead; it dropped its claims and will register anew. */
    default void declaredDead(int node) {}

    /** This engine declared another node dead. */
    default void nodeDeclaredDead(int node) {}

    /** Claims of a dead node were freed. */
    default void rescued(int node, int messages) {}

    /**
     * The end of a dead node's process was counted against a message that ran in it, or may have run.
     *
     * @param crashes how many are counted against it now
     */
    default void suspected(MessageId id, int node, int crashes) {}

    /** A message has taken down as many processes as it may: it is a dead letter. The cause names each of them. */
    default void quarantined(MessageId id, String cause) {}

    /** Own claims that nothing in this engine knew of were given back. */
    default void reconciled(int messages) {}

    /**
     * A queue is paused: this engine claims nothing of it any more. Called by the engine through which an operator paused it, on the operator's
     * thread, and by each other that serves the queue when it learns of it, also at its start. Who did it, and why, is in the audit log.
     */
    default void paused(String queue) {}

    /** The pause of a queue has ended; told as {@link #paused} is. */
    default void resumed(String queue) {}

    /**
     * A queue has more unclaimed messages, or older ones, than its settings allow. Told once until {@link #backlogNormal}, by each engine that has
     * the setting.
     *
     * @param messages as far as they were counted: one above the threshold at most
     * @param oldest   how long ago the oldest of them was first due
     */
    default void backlogHigh(String queue, int messages, Duration oldest) {}

    /** Both are below three quarters of what the settings allow again. */
    default void backlogNormal(String queue, int messages, Duration oldest) {}

    /** An operator had dead letters replayed; of a bulk action once, at its end. Called on the operator's thread. */
    default void replayed(String queue, int letters, String who) {}

    /** An operator had dead letters discarded; of a bulk action once, at its end. Called on the operator's thread. */
    default void discarded(String queue, int letters, String who) {}

    /** An operator let an ordering key go on without its dead head. Called on the operator's thread. */
    default void released(MessageId head, String orderingKey, String who) {}

    /** This engine's start changed what becomes of an ordering key of the queue whose head dies. */
    default void deadHeadPolicyChanged(String queue, DeadHeadPolicy policy) {}

    /** Rows that had outlived their time were removed. */
    default void pruned(String what, int rows) {}

    /**
     * The engine finds its database in another state than before. Called once for each change, whatever fails because of it.
     *
     * @param cause the error that told of it; null for {@link DatabaseState#UP}
     */
    default void databaseChanged(DatabaseState state, @Nullable Throwable cause) {}

    /**
     * A task of the engine began to fail, and not because of the state of the database as a whole; it goes on trying. Called once until
     * {@link #taskRecovered}.
     */
    default void taskFailed(String task, Throwable cause) {}

    /** A task that was failing works again. */
    default void taskRecovered(String task) {}
}
