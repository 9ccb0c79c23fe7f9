package io.acidq.telemetry;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.Plural;
import io.acidq.Tick;
import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.resilience.GuardState;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ServerStore.Locking;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs all events; every engine has it. Events that an operator must know are warnings. */
public final class LoggingTelemetry implements Telemetry {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");
    private static final int LONGEST = 1000;
    private static final int LONGEST_CHAIN = 20;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}+");

    /** Each is logged once. */
    private final Set<String> topicsWithoutSubscription = ConcurrentHashMap.newKeySet();

    @Override
    public void claimStrategyChosen(String queue, ClaimStrategy strategy, Locking locking) {
        if (!locking.isSound()) {
            String order = strategy.keepsOrder() && locking.locksRows() ? "" : ", and keeps no order";
            log.warn("queue {} uses claim strategy {}{}: the server {}", queue, strategy, order, locking.description());
        } else if (strategy.keepsOrder()) {
            log.debug("queue {} uses claim strategy {}", queue, strategy);
        } else {
            log.info(
                    "queue {} uses claim strategy {} on this node, as configured: this node refuses to enqueue messages with an ordering key, and never claims any",
                    queue,
                    strategy);
        }
    }

    @Override
    public void strategyIgnoresOrderingKeys(String queue, ClaimStrategy strategy) {
        log.warn(
                "queue {} holds messages with an ordering key, which claim strategy {} never claims: they wait until a node with claimStrategy LANES serves the queue",
                queue,
                strategy);
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        outcome.match(new Outcome.Cases<Void>() {
            @Override
            public Void done() {
                log.trace("done {} in {}", id, took);
                return null;
            }

            @Override
            public Void retry(Duration delay, String error) {
                log.info("retry {} in {}: {}", id, delay, line(error));
                return null;
            }

            @Override
            public Void snooze(Duration delay, String reason) {
                log.debug("snoozed {} for {}: {}", id, delay, line(reason));
                return null;
            }

            @Override
            public Void cancelled(String reason) {
                log.info("cancelled {}: {}", id, line(reason));
                return null;
            }

            @Override
            public Void dead(String error) {
                log.warn("dead letter {}: {}", id, line(error));
                return null;
            }
        });
    }

    @Override
    public void publishedUnsubscribed(String topic) {
        if (topicsWithoutSubscription.add(topic)) {
            log.warn("topic {} has no subscription: what is published to it is stored nowhere", topic);
        }
    }

    @Override
    public void ticked(Tick tick, TickResult result, Duration late) {
        log.debug(
                "recurring message {}: tick {} was {} after {}; {} earlier ticks missed",
                tick.name(),
                tick.at(),
                result,
                late,
                tick.missed());
    }

    /** Logs the stack trace, which a dead letter does not keep: at debug if another attempt follows. */
    @Override
    public void failed(MessageId id, Throwable failure, Outcome next) {
        if (next instanceof Outcome.Dead) {
            log.warn("the last attempt of {} failed", id, printable(failure));
        } else if (log.isDebugEnabled()) {
            log.debug("an attempt of {} failed", id, printable(failure));
        }
    }

    /** Returns an exception that can be logged: the given one, or one with its class and its stack trace if its text or that of a cause throws. */
    static Throwable printable(Throwable failure) {
        try {
            Throwable shown = failure;
            for (int depth = 0; shown != null && depth < LONGEST_CHAIN; depth++) {
                String unused = shown.toString();
                shown = shown.getCause();
            }
            return failure;
        } catch (Throwable broken) { // also an Error
            RuntimeException replaced =
                    new RuntimeException(failure.getClass().getName() + ", whose text cannot be shown: it throws "
                            + broken.getClass().getName());
            replaced.setStackTrace(failure.getStackTrace());
            return replaced;
        }
    }

    @Override
    public void expired(MessageId id, Outcome outcome) {
        log.debug("{} was not started: {}", id, outcome);
    }

    @Override
    public void requeued(MessageId id, Throwable failure) {
        log.debug("requeued {}", id, failure);
    }

    @Override
    public void claimedWithoutAttempt(MessageId id, int claims) {
        log.warn(
                "{} has been claimed {} times without a counted attempt: it is snoozed or requeued again and again",
                id,
                claims);
    }

    @Override
    public void failsTransiently(MessageId id, int times, Throwable failure) {
        Throwable printable = printable(failure);
        log.warn(
                "{} has failed {} times by an error after which no attempt is counted, and runs again: {}. If the error is the message's own, such as a query"
                        + " that takes too long, let the handler throw another exception without this one as its cause, or return Outcome.dead; a maximum age of"
                        + " the retry policy ends such messages too",
                id,
                times,
                line(printable.toString()));
        log.debug("the latest transient failure of {}", id, printable);
    }

    @Override
    public void guardChanged(String queue, GuardState state) {
        if (state.kind() == GuardState.Kind.RATE_LIMIT) { // at full load twice in each period
            log.debug("queue {}: {}", queue, state);
        } else if (state.status() == GuardState.Status.STOPS) {
            log.warn("queue {} claims nothing on this node: {}", queue, state);
        } else {
            log.info("queue {}: {}", queue, state);
        }
    }

    @Override
    public void workersChanged(String queue, int from, int to) {
        log.debug("queue {} has {} here instead of {}", queue, Plural.of(to, "worker"), from);
    }

    @Override
    public void batchSplit(String queue, int messages, Throwable failure) {
        log.info(
                "queue {}: a transaction with {} was rolled back; each message runs again alone: {}",
                queue,
                Plural.of(messages, "message"),
                failure.toString());
        log.debug("queue {}: the failure that rolled back the transaction", queue, failure);
    }

    @Override
    public void fenced(MessageId id) {
        log.info(
                "message {} lost its claim while it ran: this run is rolled back, and another node may run it unless its row was deleted",
                id);
    }

    @Override
    public void registered(int node) {
        log.info("registered as node {}", node);
    }

    @Override
    public void declaredDead(int node) {
        log.warn(
                "node {} (this engine) was declared dead by another node: it drops its claims and registers again",
                node);
    }

    @Override
    public void rowsMissing(String rows) {
        log.warn(
                "missing in the database: {}. The tables were emptied, created again or restored while this engine ran. It writes"
                        + " these rows again and continues; pauses by operators have ended, and what else was deleted is lost",
                rows);
    }

    @Override
    public void nodeDeclaredDead(int node) {
        log.warn("node {} missed its heartbeats: declared dead", node);
    }

    @Override
    public void rescued(int node, int messages) {
        log.info("freed {} of node {}, which has ended", Plural.of(messages, "claim"), node);
    }

    @Override
    public void suspected(MessageId id, int node, int crashes) {
        log.info(
                "node {} may have crashed while it ran {}: the message has {} now",
                node,
                id,
                Plural.of(crashes, "crash"));
    }

    @Override
    public void quarantined(MessageId id, String error) {
        log.warn("dead letter {}: {}", id, line(error));
    }

    @Override
    public void reconciled(int messages) {
        log.info(
                "requeued {} that the database showed for this node, but that this node did not hold",
                Plural.of(messages, "claim"));
    }

    @Override
    public void paused(String queue) {
        log.warn("queue {} is paused: its messages wait until an operator resumes it", queue);
    }

    @Override
    public void resumed(String queue) {
        log.info("queue {} is resumed", queue);
    }

    @Override
    public void backlogHigh(String queue, int messages, Duration oldest) {
        log.warn(
                "queue {} has a high backlog: at least {}, the oldest due for {}",
                queue,
                Plural.of(messages, "unclaimed message"),
                oldest);
    }

    @Override
    public void backlogNormal(String queue, int messages, Duration oldest) {
        log.info(
                "the backlog of queue {} is normal again: {}, the oldest due for {}",
                queue,
                Plural.of(messages, "unclaimed message"),
                oldest);
    }

    @Override
    public void replayed(String queue, int letters, String actor) {
        log.info("{} replayed {} of queue {}", actor, Plural.of(letters, "dead letter"), queue);
    }

    @Override
    public void discarded(String queue, int letters, String actor) {
        log.warn("{} discarded {} of queue {}", actor, Plural.of(letters, "dead letter"), queue);
    }

    @Override
    public void cancelled(MessageId id, String actor) {
        log.warn("{} cancelled {}", actor, id);
    }

    @Override
    public void bulkCancelled(String queue, int messages, String actor) {
        log.warn("{} cancelled {} of queue {}", actor, Plural.of(messages, "message"), queue);
    }

    @Override
    public void released(MessageId head, String orderingKey, String actor) {
        log.warn("{} released ordering key {}, which dead letter {} was blocking", actor, orderingKey, head);
    }

    @Override
    public void deadHeadPolicyChanged(String queue, DeadHeadPolicy policy) {
        log.info("queue {}: the policy for a dead head of an ordering key is now {}", queue, policy);
    }

    @Override
    public void pruned(String what, int rows) {
        log.debug("removed {}: {}", Plural.of(rows, "old row"), what);
    }

    @Override
    public void databaseChanged(DatabaseState state, @Nullable Throwable failure) {
        switch (state) {
            case UP -> log.info("the database is available again");
            case IMPAIRED -> log.warn("the database accepts heartbeats, but other statements fail: {}", text(failure));
            case READ_ONLY ->
                log.warn("the database accepts no writes; no message is started until it does: {}", text(failure));
            default -> log.warn("the database does not answer; no message is started until it does: {}", text(failure));
        }
        if (failure != null) {
            log.debug("the database is {}", state, failure);
        }
    }

    private static String text(@Nullable Throwable failure) {
        return String.valueOf(failure);
    }

    @Override
    public void taskFailed(String task, Throwable failure) {
        log.warn("task {} fails and is retried until it works", task, failure);
    }

    @Override
    public void taskRecovered(String task) {
        log.info("task {} works again", task);
    }

    /** A text of a handler as one line. It may quote external input and have any length. */
    private static String line(String text) {
        String shortened = text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
        return CONTROL.matcher(shortened).replaceAll(" ");
    }
}
