package io.acidq.engine.listener;

import io.acidq.HandlerTimeoutException;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.config.Listener;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes how messages of one queue end, and decides about those that did not end in done. What is done is acknowledged in the handler's
 * transaction. Every other end is written after the rollback, in a short transaction of its own: classified, given to the retry policy,
 * told to the guards. Each end is a compare-and-set on the claim; when even that fails, the reconciler finds the claim later and gives it
 * back. No follower of a message starts here unless the end of that message is written. Thread-safe.
 *
 * <p>Methods that return an outcome return what was written; null when the message was requeued, or was not this node's any more.
 */
final class OutcomeRecorder {

    private static final long FIRST_WAIT_MILLIS = 5;
    private static final int MAX_SHIFT = 9;
    private static final int CLAIMS_WITHOUT_ATTEMPT_PER_REPORT = 100;
    private static final int MAX_ERROR_LENGTH = 500;

    private final String queue;
    private final @Nullable Duration timeout;
    private final RetryPolicy retry;
    private final @Nullable Duration archiveRetention;
    private final ClaimStore claims;
    private final MessageBuffer buffer;
    private final Runnable reconcile;
    private final Telemetry telemetry;
    private final LongSupplier nanoTime;

    /**
     * For the queue of one listener.
     *
     * @param archive   how long a copy of what is done stays in the archive; null when there is none
     * @param reconcile has the node look for claims whose end was not written
     */
    OutcomeRecorder(
            Listener<?> listener,
            @Nullable Duration archive,
            ClaimStore claims,
            MessageBuffer buffer,
            Runnable reconcile,
            Telemetry telemetry,
            LongSupplier nanoTime) {
        this.queue = listener.queue();
        this.timeout = listener.options().timeout();
        RetryPolicy chosen = listener.retry().given(); // a name was resolved when the engine was built
        this.retry = chosen == null ? RetryPolicy.defaults() : chosen;
        this.archiveRetention = archive;
        this.claims = claims;
        this.buffer = buffer;
        this.reconcile = reconcile;
        this.telemetry = telemetry;
        this.nanoTime = nanoTime;
    }

    /** The message leaves its queue in the transaction on the calling thread; false when its claim was lost. */
    boolean acknowledge(Claim done) {
        return archiveRetention == null ? claims.ackIfClaimed(done) : claims.archiveIfClaimed(done, archiveRetention);
    }

    /** The same for several; false when one of the claims was lost, and nothing that was done in the transaction may be committed. */
    boolean acknowledgeAll(List<Claim> done) {
        return archiveRetention == null
                ? claims.ackAllIfClaimed(done) == done.size()
                : done.stream().allMatch(this::acknowledge);
    }

    /**
     * The run of one message threw, and its transaction is rolled back. Whose fault it is decides what becomes of the message: only its own
     * goes to the retry policy.
     */
    @Nullable
    Outcome failed(Execution execution, ClaimedMessage message, Throwable thrown) {
        if (thrown instanceof RollbackSignal
                || thrown instanceof UndecodableException
                || thrown instanceof ClaimLostException) {
            return messageFailed(execution, message, thrown);
        }
        boolean stopping = execution.isStopping();
        Thread.interrupted(); // the end must be written, whatever stopped the handler
        if (execution.hasTimedOut()) {
            return timedOut(execution, message, thrown);
        }
        if (stopping) {
            return requeue(message, thrown);
        }
        DatabaseError error = DatabaseError.of(thrown);
        if (error == null || (execution.wasCalled() && !error.isTransient())) {
            return messageFailed(execution, message, thrown);
        }
        execution.permit(message).requeued(thrown);
        requeue(message, thrown);
        if (execution.wasCalled()) {
            return null;
        }
        // the database failed before the handler was called: the worker waits, and reports it
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw new IllegalStateException("the handler's transaction could not begin", thrown);
    }

    /** What this message threw, and nothing else did: the handler's wish or failure, a payload that does not decode, a lost claim. */
    @Nullable
    Outcome messageFailed(Execution execution, ClaimedMessage message, Throwable thrown) {
        if (thrown instanceof RollbackSignal signal) {
            Outcome asked = signal.outcome();
            if (asked instanceof Outcome.Retry) { // the others say nothing about what the guards guard
                execution.permit(message).failed(signal);
            }
            return write(message, retry.limit(asked, message.attempts(), age(execution, message)));
        }
        if (thrown instanceof UndecodableException) {
            String cause = thrown.getMessage() + (thrown.getCause() == null ? "" : ": " + thrown.getCause());
            return write(message, Outcome.dead(cause));
        }
        if (thrown instanceof ClaimLostException) {
            reportFenced(message);
            return null;
        }
        execution.permit(message).failed(thrown);
        return write(message, retry.afterFailure(thrown, message.attempts(), age(execution, message)));
    }

    /**
     * Its call was stopped at its limit, or given up.
     *
     * @param thrown what it threw when it was stopped; null when it does not react
     */
    @Nullable
    Outcome timedOut(Execution execution, ClaimedMessage message, @Nullable Throwable thrown) {
        return messageFailed(execution, message, new HandlerTimeoutException(queue, timeout, thrown));
    }

    /** The run was cut short, by no fault of this message: it is requeued with its attempt, and with the followers that wait here. */
    @Nullable
    Outcome requeue(ClaimedMessage message, Throwable cause) {
        long ceiling = FIRST_WAIT_MILLIS
                << Math.min(claimsWithoutAttempt(message), MAX_SHIFT); // longer with each claim in vain
        Duration wait = Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
        requeue(message, wait, cause);
        return null;
    }

    /** A suspect has waited for others to end for so long that they go on without it. */
    void requeueSuspect(ClaimedMessage message, Duration wait) {
        requeue(message, wait, new IllegalStateException("a suspect runs alone, and others did not end"));
    }

    private void requeue(ClaimedMessage message, Duration wait, Throwable cause) {
        List<Claim> together = new ArrayList<>();
        together.add(message.claim());
        together.addAll(buffer.removeFollowers(message.orderingKey()));
        boolean won;
        try {
            won = claims.requeueIfClaimed(together, wait) > 0;
        } catch (RuntimeException e) {
            leaveToReconciler(List.of(message));
            throw e;
        }
        if (won) {
            telemetry.requeued(id(message), cause);
            reportClaimsWithoutAttempt(message);
        } else {
            reportFenced(message);
        }
    }

    /** The transaction that held several messages is lost, and each of them runs again alone. */
    void reportBatchSplit(int messages, Throwable cause) {
        telemetry.batchSplit(queue, messages, cause);
    }

    /** The ends of these are not written by their run: no follower of theirs starts here before the reconciler has written them. */
    void leaveToReconciler(Collection<ClaimedMessage> messages) {
        messages.forEach(message -> buffer.removeFollowers(message.orderingKey()));
        reconcile.run();
    }

    private void reportFenced(ClaimedMessage message) {
        leaveToReconciler(List.of(message));
        telemetry.fenced(id(message));
    }

    /** Writes an outcome other than done; null when the claim had been lost. Throws when the database cannot be reached. */
    private @Nullable Outcome write(ClaimedMessage message, Outcome outcome) {
        Outcome written = outcome;
        boolean won;
        try {
            won = writeIfClaimed(message, outcome);
        } catch (RuntimeException e) {
            leaveToReconciler(List.of(message));
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error != DatabaseError.REFUSED) {
                throw e; // about the database, not about this outcome
            }
            // it would be refused again: without an end the message would run for ever
            written = Outcome.dead(unwritableText(outcome, e));
            won = writeIfClaimed(message, written);
        }
        if (!won) {
            reportFenced(message);
            return null;
        }
        if (written instanceof Outcome.Snooze) {
            reportClaimsWithoutAttempt(message);
        }
        return written;
    }

    private boolean writeIfClaimed(ClaimedMessage message, Outcome outcome) {
        return outcome.match(new Outcome.Cases<Boolean>() {
            @Override
            public Boolean done() {
                return true;
            }

            @Override
            public Boolean retry(Duration delay, String cause) {
                // taken out first: no follower may start once its head is no longer claimed
                return claims.retryIfClaimed(message, delay, buffer.removeFollowers(message.orderingKey()));
            }

            @Override
            public Boolean snooze(Duration delay, String why) {
                return claims.snoozeIfClaimed(message, delay, buffer.removeFollowers(message.orderingKey()));
            }

            @Override
            public Boolean cancelled(String why) {
                return claims.cancelIfClaimed(message.claim());
            }

            @Override
            public Boolean dead(String cause) {
                return claims.deadLetterIfClaimed(
                        message.claim(), cause, buffer.removeFollowers(message.orderingKey()));
            }
        });
    }

    /** Without what was refused: that would be refused again. */
    private static String unwritableText(Outcome outcome, RuntimeException why) {
        String said = String.valueOf(why.getMessage()).replaceAll("[^\\x20-\\x7E]", "?");
        String kind = outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return "its outcome (" + kind + ") could not be written: "
                + why.getClass().getName() + ": " + said.substring(0, Math.min(said.length(), MAX_ERROR_LENGTH));
    }

    /** Neither snoozes nor passing errors have a limit of their own, so telemetry hears of a message that is claimed in vain all the time. */
    private void reportClaimsWithoutAttempt(ClaimedMessage message) {
        int vain = claimsWithoutAttempt(message) + 1; // this one's attempt is given back
        if (vain % CLAIMS_WITHOUT_ATTEMPT_PER_REPORT == 0) {
            telemetry.claimedWithoutAttempt(id(message), vain);
        }
    }

    /** The earlier claims that came to nothing: those that did not count as attempts or crashes. */
    static int claimsWithoutAttempt(ClaimedMessage message) {
        return Math.max(0, message.claim().claimNo() - message.attempts() - message.crashes());
    }

    private Duration age(Execution execution, ClaimedMessage message) {
        return message.age().plusNanos(nanoTime.getAsLong() - execution.startNanos());
    }

    private MessageId id(ClaimedMessage message) {
        return message.id(queue);
    }
}
