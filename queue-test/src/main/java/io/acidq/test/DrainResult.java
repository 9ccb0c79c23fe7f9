package io.acidq.test;

import io.acidq.MessageId;
import io.acidq.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of a drain. Immutable.
 *
 * @param ended     the runs whose outcome was recorded, in order; a message has one entry for each run
 * @param failures  the exceptions of handlers, and the errors that requeued messages, in order
 * @param heldBack  the queues whose messages may not start now, each with the reason
 * @param crashedAt the point at which the process crashed; empty if it did not crash
 */
public record DrainResult(
        List<Ended> ended, List<Failure> failures, List<String> heldBack, Optional<CrashPoint> crashedAt) {

    public DrainResult {
        ended = List.copyOf(ended);
        failures = List.copyOf(failures);
        heldBack = List.copyOf(heldBack);
    }

    /** Returns the number of runs that ended in done. */
    public int done() {
        return count(Outcome.Done.class);
    }

    /** Returns the number of runs that ended in a retry, whose attempt counts. */
    public int retried() {
        return count(Outcome.Retry.class);
    }

    /** Returns the number of runs that ended in a snooze. */
    public int snoozed() {
        return count(Outcome.Snooze.class);
    }

    public int cancelled() {
        return count(Outcome.Cancelled.class);
    }

    /** Returns the number of messages that became dead letters. */
    public int dead() {
        return count(Outcome.Dead.class);
    }

    private int count(Class<? extends Outcome> kind) {
        return (int) ended.stream().filter(e -> kind.isInstance(e.outcome())).count();
    }

    /**
     * Asserts that every run ended in done and nothing failed.
     *
     * @return this result
     * @throws AssertionError if a run ended otherwise; it lists these runs, and its cause is the first failure
     */
    public DrainResult allDone() {
        List<Ended> others = ended.stream().filter(e -> !e.outcome().isDone()).toList();
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
        return new DrainResult(both(ended, next.ended), both(failures, next.failures), next.heldBack, next.crashedAt);
    }

    private static <T> List<T> both(List<T> first, List<T> then) {
        List<T> all = new ArrayList<>(first);
        all.addAll(then);
        return all;
    }

    /**
     * A run whose outcome was recorded.
     *
     * @param id      the message
     * @param outcome the outcome of the run
     */
    public record Ended(MessageId id, Outcome outcome) {}

    /**
     * A failure.
     *
     * @param id     the message
     * @param thrown the exception of its handler, or the database error that requeued it
     */
    public record Failure(MessageId id, Throwable thrown) {}
}
