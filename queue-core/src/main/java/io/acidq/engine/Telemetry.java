package io.acidq.engine;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.resilience.GuardState;
import java.time.Duration;

/**
 * Hears of every transition. Called on the engine's threads after the fact, outside any transaction; must be quick and
 * thread-safe. What it throws is logged and changes nothing.
 */
public interface Telemetry {

    /** A claim brought messages. */
    default void claimed(String queue, int messages) {}

    /** A run ended and its outcome (done, retry, snooze, cancelled, dead) is in the database. */
    default void finished(MessageId id, Outcome outcome, Duration took) {}

    /** A run ended for no fault of the message (deadlock, lost connection, stop): it will run again, its attempt given back. */
    default void gaveBack(MessageId id, Throwable cause) {}

    /**
     * A message has been claimed so often (100, 200, … times) without a counted attempt: it is snoozed or given back again and
     * again, which nothing ends but a maximum age.
     */
    default void claimedInVain(MessageId id, int claims) {}

    /** A breaker or a rate limit of the queue changed its status in this engine; of a breaker that queues share, each hears. */
    default void guardChanged(String queue, GuardState state) {}

    /** A run was worthless: the claim had been lost, and the handler's transaction was rolled back. */
    default void fenced(MessageId id) {}

    /** This engine registered as a node. */
    default void registered(int node) {}

    /** This engine had been declared dead; it dropped its claims and will register anew. */
    default void buried(int node) {}

    /** This engine declared another node dead. */
    default void buriedOther(int node) {}

    /** Claims of a dead node were freed. */
    default void rescued(int node, int messages) {}

    /** Own claims that nothing in this engine knew of were given back. */
    default void reconciled(int messages) {}

    /** An operator had dead letters replayed; of a bulk action once, at its end. Called on the operator's thread. */
    default void replayed(String queue, int letters, String who) {}

    /** An operator had dead letters discarded; of a bulk action once, at its end. Called on the operator's thread. */
    default void discarded(String queue, int letters, String who) {}

    /** Rows that had outlived their time were removed. */
    default void pruned(String what, int rows) {}

    /** A duty of the engine began to fail; it goes on trying. Called once until {@link #recovered}. */
    default void failing(String duty, Throwable cause) {}

    /** A duty that was failing works again. */
    default void recovered(String duty) {}
}
