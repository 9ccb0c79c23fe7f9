package io.acidq.telemetry;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.Tick;
import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.resilience.GuardState;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ServerStore.Locking;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A listener for the events of an engine, registered with {@code EngineBuilder#telemetry}. Methods are called on the engine's threads after the event,
 * outside any transaction, and must be quick and thread-safe. An exception is logged and changes nothing.
 */
public interface Telemetry {

    /** The engine starts, has tested the locking of the server, and has chosen how to claim the queue. */
    default void claimStrategyChosen(String queue, ClaimStrategy strategy, Locking locking) {}

    /** The queue has messages with an ordering key, which its strategy does not claim in this engine. Called once for each listener. */
    default void strategyIgnoresOrderingKeys(String queue, ClaimStrategy strategy) {}

    /** A message was published to a topic that has no subscription, and is stored nowhere. */
    default void publishedUnsubscribed(String topic) {}

    /**
     * A tick of a recurring message is in its history: its message was enqueued, or it got none.
     *
     * @param tick   the tick; it also stands for {@code tick.missed()} earlier ones
     * @param result what became of it
     * @param late   the time from the tick until this engine found it due, by the database's clock
     */
    default void ticked(Tick tick, TickResult result, Duration late) {}

    /**
     * A claim returned messages.
     *
     * @param took how long the transaction of the claim took, including the wait for its connection
     */
    default void claimed(String queue, int messages, Duration took) {}

    /** A run ended and its outcome (done, retry, snooze, cancelled, dead) is in the database. */
    default void finished(MessageId id, Outcome outcome, Duration took) {}

    /**
     * A run ended with an exception of the handler, or because the payload could not be decoded. What the retry policy has made of it is in the database;
     * {@link #finished} follows.
     */
    default void failed(MessageId id, Throwable failure, Outcome next) {}

    /**
     * A message expired before it was started, or was snoozed beyond its expiry. Its end is in the database: it was removed, or is a dead letter.
     * {@link #finished} follows.
     *
     * @param outcome cancelled or dead, as the queue is configured
     */
    default void expired(MessageId id, Outcome outcome) {}

    /** A run ended for a reason outside the message (deadlock, lost connection, stop): the message runs again, and the attempt does not count. */
    default void requeued(MessageId id, Throwable failure) {}

    /**
     * A message has been claimed so often (100, 200, … times) without a counted attempt: it is snoozed or requeued again and
     * again, which only a maximum age ends.
     */
    default void claimedWithoutAttempt(MessageId id, int claims) {}

    /**
     * The handler of a message has failed in this engine again and again (5, 10, 20, … times) by a transient error of a database, such as a deadlock or a timeout,
     * for which no attempt is counted. The message waits up to 20 s between its runs, and does not become a dead letter unless its retry policy has a maximum age.
     */
    default void failsTransiently(MessageId id, int times, Throwable failure) {}

    /** A breaker or a rate limit of the queue changed its status in this engine. Called for each queue that shares it. */
    default void guardChanged(String queue, GuardState state) {}

    /** The number of a queue's workers in this engine has changed: more with the backlog, or fewer after an idle time. */
    default void workersChanged(String queue, int from, int to) {}

    /**
     * A transaction that held several messages was lost as a whole (deadlock, lost connection, timeout, an exception of a batch handler): each of them
     * is run again in one of its own.
     */
    default void batchSplit(String queue, int messages, Throwable failure) {}

    /** The claim of a run was lost, and the transaction of the handler was rolled back. */
    default void fenced(MessageId id) {}

    /** This engine registered as a node. */
    default void registered(int node) {}

    /** Another node declared this engine dead. It dropped its claims and registers again. */
    default void declaredDead(int node) {}

    /**
     * Rows that this engine had written were missing: the tables were emptied, created again or restored while it ran. It writes these rows again and
     * continues.
     *
     * @param rows what was missing, for people
     */
    default void rowsMissing(String rows) {}

    /** This engine declared another node dead. */
    default void nodeDeclaredDead(int node) {}

    /** Claims of a node that is dead or has stopped were freed. */
    default void rescued(int node, int messages) {}

    /**
     * The crash of a node was counted for a message that ran on it, or may have run.
     *
     * @param crashes the number of crashes of the message now
     */
    default void suspected(MessageId id, int node, int crashes) {}

    /** A message reached the maximum number of crashes and is a dead letter. The error names each crash. */
    default void quarantined(MessageId id, String error) {}

    /** Claims of this node that the engine did not know about were requeued. */
    default void reconciled(int messages) {}

    /**
     * A queue is paused: this engine claims none of its messages until the pause ends. The engine through which an operator paused it calls this on the
     * operator's thread; each other engine that serves the queue calls it when it detects the pause, also at its start. The audit log has the actor and the reason.
     */
    default void paused(String queue) {}

    /** The pause of a queue has ended; called as {@link #paused} is. */
    default void resumed(String queue) {}

    /**
     * A queue has more unclaimed messages, or older ones, than its settings allow. Called once until {@link #backlogNormal}, by each engine that has
     * the setting.
     *
     * @param messages the number of messages, counted up to one above the threshold
     * @param oldest   how long ago the oldest of them was first due
     */
    default void backlogHigh(String queue, int messages, Duration oldest) {}

    /** Both are below three quarters of what the settings allow again. */
    default void backlogNormal(String queue, int messages, Duration oldest) {}

    /** An operator has replayed dead letters. A bulk action calls it once, at its end. Called on the operator's thread. */
    default void replayed(String queue, int letters, String actor) {}

    /** An operator has discarded dead letters. A bulk action calls it once, at its end. Called on the operator's thread. */
    default void discarded(String queue, int letters, String actor) {}

    /** An operator has cancelled an unclaimed message. Called on the operator's thread. */
    default void cancelled(MessageId id, String actor) {}

    /** An operator has cancelled the unclaimed messages that match a filter. Called once, at the end of the action, instead of {@link #cancelled} for each. */
    default void bulkCancelled(String queue, int messages, String actor) {}

    /** An operator released an ordering key from its dead letter. Called on the operator's thread. */
    default void released(MessageId head, String orderingKey, String actor) {}

    /** The start of this engine changed the {@link DeadHeadPolicy} of the queue. */
    default void deadHeadPolicyChanged(String queue, DeadHeadPolicy policy) {}

    /** Rows older than their retention were removed. */
    default void pruned(String what, int rows) {}

    /**
     * The state of the database, as this engine sees it, changed. Called once for each change.
     *
     * @param failure the error that showed it; null for {@link DatabaseState#UP}
     */
    default void databaseChanged(DatabaseState state, @Nullable Throwable failure) {}

    /**
     * A task of the engine began to fail, and not because of the state of the database as a whole; the engine retries it. Called once until
     * {@link #taskRecovered}.
     */
    default void taskFailed(String task, Throwable failure) {}

    /** A task that failed works again. */
    default void taskRecovered(String task) {}
}
