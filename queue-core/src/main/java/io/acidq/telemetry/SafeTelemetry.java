package io.acidq.telemetry;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.resilience.GuardState;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Locking;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells each listener; one that throws harms neither the others nor the engine. */
public final class SafeTelemetry implements Telemetry {

    private static final Logger log = LoggerFactory.getLogger(SafeTelemetry.class);

    private final List<Telemetry> all;

    public SafeTelemetry(List<Telemetry> all) {
        this.all = List.copyOf(all);
    }

    private void each(Consumer<Telemetry> event) {
        for (Telemetry one : all) {
            try {
                event.accept(one);
            } catch (Throwable e) { // an Error too: it would take a task's or a worker's thread away
                log.warn(
                        "telemetry {} threw; the event is lost, the engine goes on",
                        one.getClass().getName(),
                        e);
            }
        }
    }

    @Override
    public void claimStrategyChosen(String queue, ClaimStrategy strategy, Locking locking) {
        each(t -> t.claimStrategyChosen(queue, strategy, locking));
    }

    @Override
    public void strategyIgnoresOrderingKeys(String queue, ClaimStrategy strategy) {
        each(t -> t.strategyIgnoresOrderingKeys(queue, strategy));
    }

    @Override
    public void claimed(String queue, int messages, Duration took) {
        each(t -> t.claimed(queue, messages, took));
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        each(t -> t.finished(id, outcome, took));
    }

    @Override
    public void requeued(MessageId id, Throwable cause) {
        each(t -> t.requeued(id, cause));
    }

    @Override
    public void claimedWithoutAttempt(MessageId id, int claims) {
        each(t -> t.claimedWithoutAttempt(id, claims));
    }

    @Override
    public void guardChanged(String queue, GuardState state) {
        each(t -> t.guardChanged(queue, state));
    }

    @Override
    public void workersChanged(String queue, int from, int to) {
        each(t -> t.workersChanged(queue, from, to));
    }

    @Override
    public void batchSplit(String queue, int messages, Throwable cause) {
        each(t -> t.batchSplit(queue, messages, cause));
    }

    @Override
    public void fenced(MessageId id) {
        each(t -> t.fenced(id));
    }

    @Override
    public void registered(int node) {
        each(t -> t.registered(node));
    }

    @Override
    public void declaredDead(int node) {
        each(t -> t.declaredDead(node));
    }

    @Override
    public void nodeDeclaredDead(int node) {
        each(t -> t.nodeDeclaredDead(node));
    }

    @Override
    public void rescued(int node, int messages) {
        each(t -> t.rescued(node, messages));
    }

    @Override
    public void suspected(MessageId id, int node, int crashes) {
        each(t -> t.suspected(id, node, crashes));
    }

    @Override
    public void quarantined(MessageId id, String cause) {
        each(t -> t.quarantined(id, cause));
    }

    @Override
    public void reconciled(int messages) {
        each(t -> t.reconciled(messages));
    }

    @Override
    public void paused(String queue) {
        each(t -> t.paused(queue));
    }

    @Override
    public void resumed(String queue) {
        each(t -> t.resumed(queue));
    }

    @Override
    public void backlogHigh(String queue, int messages, Duration oldest) {
        each(t -> t.backlogHigh(queue, messages, oldest));
    }

    @Override
    public void backlogNormal(String queue, int messages, Duration oldest) {
        each(t -> t.backlogNormal(queue, messages, oldest));
    }

    @Override
    public void replayed(String queue, int letters, String who) {
        each(t -> t.replayed(queue, letters, who));
    }

    @Override
    public void discarded(String queue, int letters, String who) {
        each(t -> t.discarded(queue, letters, who));
    }

    @Override
    public void released(MessageId head, String orderingKey, String who) {
        each(t -> t.released(head, orderingKey, who));
    }

    @Override
    public void deadHeadPolicyChanged(String queue, DeadHeadPolicy policy) {
        each(t -> t.deadHeadPolicyChanged(queue, policy));
    }

    @Override
    public void pruned(String what, int rows) {
        each(t -> t.pruned(what, rows));
    }

    @Override
    public void databaseChanged(DatabaseState state, @Nullable Throwable cause) {
        each(t -> t.databaseChanged(state, cause));
    }

    @Override
    public void taskFailed(String task, Throwable cause) {
        each(t -> t.taskFailed(task, cause));
    }

    @Override
    public void taskRecovered(String task) {
        each(t -> t.taskRecovered(task));
    }
}
