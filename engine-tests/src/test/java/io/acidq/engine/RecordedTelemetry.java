package io.acidq.engine;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Records what an engine reports. Thread-safe. */
class RecordedTelemetry implements Telemetry {

    final AtomicInteger claimed = new AtomicInteger();
    final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    final Map<MessageId, Outcome> lastOutcomes = new ConcurrentHashMap<>();
    final Queue<Throwable> requeued = new ConcurrentLinkedQueue<>();
    final Queue<MessageId> fenced = new ConcurrentLinkedQueue<>();
    final Queue<String> databaseStates = new ConcurrentLinkedQueue<>();

    final Queue<Integer> declaredDead = new ConcurrentLinkedQueue<>();

    /** Nodes that were declared dead, suspects, and tasks that failed. */
    final Queue<String> incidents = new ConcurrentLinkedQueue<>();

    @Override
    public void claimed(String queue, int messages, Duration took) {
        claimed.addAndGet(messages);
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        outcomes.add(outcome);
        lastOutcomes.put(id, outcome);
    }

    @Override
    public void requeued(MessageId id, Throwable failure) {
        requeued.add(failure);
    }

    @Override
    public void fenced(MessageId id) {
        fenced.add(id);
    }

    @Override
    public void databaseChanged(DatabaseState state, @Nullable Throwable failure) {
        databaseStates.add(state.name());
    }

    @Override
    public void declaredDead(int node) {
        declaredDead.add(node);
        incidents.add("this node " + node + " was declared dead");
    }

    @Override
    public void rowsMissing(String rows) {
        incidents.add("missing: " + rows);
    }

    @Override
    public void nodeDeclaredDead(int node) {
        declaredDead.add(node);
        incidents.add("node " + node + " was declared dead");
    }

    @Override
    public void suspected(MessageId id, int node, int crashes) {
        incidents.add("suspected " + id);
    }

    @Override
    public void taskFailed(String task, Throwable failure) {
        incidents.add(task + " failed: " + failure);
    }
}
