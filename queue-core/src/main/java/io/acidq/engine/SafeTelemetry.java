package io.acidq.engine;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.resilience.GuardState;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells each listener; one that throws harms neither the others nor the engine. */
final class SafeTelemetry implements Telemetry {

    private static final Logger log = LoggerFactory.getLogger(SafeTelemetry.class);

    private final List<Telemetry> all;

    SafeTelemetry(List<Telemetry> all) {
        this.all = List.copyOf(all);
    }

    private void each(Consumer<Telemetry> event) {
        for (Telemetry one : all) {
            try {
                event.accept(one);
            } catch (Throwable e) { // an Error too: it would take a duty's or a worker's thread away
                log.warn(
                        "telemetry {} threw; the event is lost, the engine goes on",
                        one.getClass().getName(),
                        e);
            }
        }
    }

    @Override
    public void claimed(String queue, int messages) {
        each(t -> t.claimed(queue, messages));
    }

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        each(t -> t.finished(id, outcome, took));
    }

    @Override
    public void gaveBack(MessageId id, Throwable cause) {
        each(t -> t.gaveBack(id, cause));
    }

    @Override
    public void claimedInVain(MessageId id, int claims) {
        each(t -> t.claimedInVain(id, claims));
    }

    @Override
    public void guardChanged(String queue, GuardState state) {
        each(t -> t.guardChanged(queue, state));
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
    public void buried(int node) {
        each(t -> t.buried(node));
    }

    @Override
    public void buriedOther(int node) {
        each(t -> t.buriedOther(node));
    }

    @Override
    public void rescued(int node, int messages) {
        each(t -> t.rescued(node, messages));
    }

    @Override
    public void reconciled(int messages) {
        each(t -> t.reconciled(messages));
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
    public void pruned(String what, int rows) {
        each(t -> t.pruned(what, rows));
    }

    @Override
    public void failing(String duty, Throwable cause) {
        each(t -> t.failing(duty, cause));
    }

    @Override
    public void recovered(String duty) {
        each(t -> t.recovered(duty));
    }
}
