package io.acidq.test;

import io.acidq.MessageId;
import io.acidq.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a drain did. Immutable.
 *
 * @param ended    each run whose end was written, in order; a message that ran several times is here several times
 * @param failures what handlers threw, and what made messages be given back, in order
 * @param heldBack the queues of which nothing may start now, each with what holds it up
 * @param death    where the process died; empty when the test did not want it to, or it never came there
 */
public record DrainResult(
        List<Ended> ended, List<Failure> failures, List<String> heldBack, Optional<CrashPoint> death) {

    public DrainResult {
        ended = List.copyOf(ended);
        failures = List.copyOf(failures);
        heldBack = List.copyOf(heldBack);
    }

    /** Runs that ended in done. */
    public int done() {
        return count(Outcome.Done.class);
    }

    /** Runs after which the message is to run again, its attempt counted. */
    public int retried() {
        return count(Outcome.Retry.class);
    }

    /** Runs whose handler said: not yet. */
    public int snoozed() {
        return count(Outcome.Snooze.class);
    }

    public int cancelled() {
        return count(Outcome.Cancelled.class);
    }

    /** Messages that became dead letters. */
    public int dead() {
        return count(Outcome.Dead.class);
    }

    private int count(Class<? extends Outcome> kind) {
        return (int) ended.stream().filter(e -> kind.isInstance(e.outcome())).count();
    }

    /**
     * This result, if every run ended in done.
     *
     * @throws AssertionError which tells of each that did not, with what the first of the handlers threw as its cause
     */
    public DrainResult allDone() {
        List<Ended> others =
                ended.stream().filter(e -> e.outcome() != Outcome.done()).toList();
        if (others.isEmpty() && failures.isEmpty()) {
            return this;
        }
        String text = others.stream().map(e -> e.id() + ": " + e.outcome()).collect(Collectors.joining("\n  "));
        AssertionError error = new AssertionError("expected every run to end in done, but\n  " + text
                + (failures.isEmpty() ? "" : "\nthrown: " + failures));
        failures.stream().findFirst().ifPresent(f -> error.initCause(f.thrown()));
        throw error;
    }

    DrainResult and(DrainResult next) {
        return new DrainResult(both(ended, next.ended), both(failures, next.failures), next.heldBack, next.death);
    }

    private static <T> List<T> both(List<T> first, List<T> then) {
        List<T> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    /**
     * A run whose end was written.
     *
     * @param id      the message
     * @param outcome what the run ended in
     */
    public record Ended(MessageId id, Outcome outcome) {}

    /**
     * Something thrown.
     *
     * @param id     the message
     * @param thrown what its handler threw, or the error of the database because of which it was given back
     */
    public record Failure(MessageId id, Throwable thrown) {}
}
