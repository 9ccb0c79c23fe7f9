package io.acidq.engine.listener;

import io.acidq.AcidqException;
import io.acidq.HandlerTimeoutException;
import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt;
import io.acidq.codec.UndecodableException;
import io.acidq.config.Listener;
import io.acidq.config.QueueConfig;
import io.acidq.engine.listener.StartRules.NotStartedException;
import io.acidq.engine.node.NodeContext;
import io.acidq.resilience.RetryPolicy;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.FailedAttempt;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.ReceiptStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recorder of how the messages of one queue end. It acknowledges a message that is done in the handler's
 * transaction. After a rollback it classifies the failure, reports it to the guards, asks the retry policy, and writes
 * the outcome in a short transaction of its own. Each write changes only a message whose claim still holds; when a
 * write fails, the reconciler later finds the claim and requeues the message. The next message of an ordering key
 * starts here only after the end of the one before is written. Thread-safe.
 *
 * <p>Methods that return an outcome return the one that was written; null when the message was requeued or its claim
 * was lost.
 */
final class OutcomeRecorder {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");

    private static final int CLAIMS_WITHOUT_ATTEMPT_PER_REPORT = 100;
    private static final int MAX_ERROR_LENGTH = 500;

    /** Transient failures of a message are reported at this number, and again each time the number has doubled. */
    private static final int FAILURES_BEFORE_REPORT = 5;

    private final String queue;
    private final String handlerName;
    private final @Nullable Duration timeout;
    private final RetryPolicy retry;
    private final @Nullable Duration archiveRetention;
    private final AttemptLog attempts;
    private final ClaimStore claims;
    private final StartRules startRules;
    private final ResultEncoder results;
    private final MessageBuffer buffer;
    private final NodeContext node;
    private final RequeueBackoff backoff = new RequeueBackoff();

    /**
     * Creates the recorder of a listener's queue.
     *
     * @param recordsAttempts whether failed attempts are recorded
     */
    OutcomeRecorder(
            Listener<?> listener,
            QueueConfig settings,
            boolean recordsAttempts,
            ClaimStore claims,
            StartRules startRules,
            ResultEncoder results,
            MessageBuffer buffer,
            NodeContext node) {
        this.queue = listener.queue();
        this.handlerName = HandlerInvoker.handlerName(listener);
        this.timeout = listener.options().timeout();
        RetryPolicy chosen = listener.retry().given(); // the builder has resolved names
        this.retry = chosen == null ? RetryPolicy.defaults() : chosen;
        this.archiveRetention = settings.retention().archive();
        this.attempts = new AttemptLog(queue, node.nanoTime(), recordsAttempts);
        this.claims = claims;
        this.startRules = startRules;
        this.results = results;
        this.buffer = buffer;
        this.node = node;
    }

    /**
     * Removes a done message from its queue, in the transaction on the calling thread. Returns false when the claim was
     * lost.
     */
    boolean acknowledge(DoneMessage done) {
        ReceiptStore.Result result = results.encode(done);
        try {
            return acknowledge(done.claim(), result);
        } catch (QueueMisuseException e) {
            throw notAcknowledged(e);
        }
    }

    /** The acknowledgement is the last statement in the transaction of the handler. When it fails for good, the handler has changed the transaction or the connection. */
    private QueueMisuseException notAcknowledged(QueueMisuseException failure) {
        return new QueueMisuseException(
                "a message could not be acknowledged in the transaction of " + handlerName + ": "
                        + failure.getMessage(),
                failure);
    }

    private boolean acknowledge(Claim claim, ReceiptStore.@Nullable Result result) {
        return archiveRetention == null
                ? claims.ackIfClaimed(claim, result)
                : claims.archiveIfClaimed(claim, archiveRetention, result);
    }

    /**
     * Acknowledges a message whose work was done outside the transaction. Unlike {@link #acknowledge}, a result that cannot be kept does not fail the
     * message: its work would be done again.
     */
    boolean acknowledgeExternal(DoneMessage done) {
        ReceiptStore.Result result;
        try {
            result = results.encode(done);
        } catch (RuntimeException e) {
            String error = String.valueOf(e.getMessage());
            log.warn(
                    "message {} is done, but its result is not kept: {}",
                    new MessageId(queue, done.claim().lane(), done.claim().uid()),
                    error);
            result = new ReceiptStore.Result(
                    ReceiptStore.RESULT_NOT_KEPT,
                    error.substring(0, Math.min(error.length(), MAX_ERROR_LENGTH))
                            .getBytes(StandardCharsets.UTF_8));
        }
        return acknowledge(done.claim(), result);
    }

    /**
     * Removes several done messages. Returns false when one of the claims was lost: the transaction must not commit
     * then.
     */
    boolean acknowledgeAll(List<DoneMessage> done) {
        if (archiveRetention != null) {
            return done.stream().allMatch(this::acknowledge);
        }
        Map<UUID, ReceiptStore.Result> kept = new HashMap<>();
        List<Claim> ended = new ArrayList<>(done.size());
        for (DoneMessage message : done) {
            ended.add(message.claim());
            ReceiptStore.Result result = results.encode(message);
            if (result != null) {
                kept.put(message.claim().uid(), result);
            }
        }
        try {
            return claims.ackAllIfClaimed(ended, kept) == done.size();
        } catch (QueueMisuseException e) {
            throw notAcknowledged(e);
        }
    }

    /**
     * A message that is done.
     *
     * @param outcome what its handler returned
     */
    record DoneMessage(Claim claim, Outcome outcome) {}

    /**
     * Ends a message whose run threw an exception and whose transaction is rolled back. Only a failure that is the
     * message's fault goes to the retry policy; after a timeout it has failed too; otherwise it is requeued.
     */
    @Nullable
    Outcome endAfterException(Execution execution, ClaimedMessage message, Throwable thrown) {
        if (thrown instanceof RollbackSignal
                || thrown instanceof NotStartedException
                || thrown instanceof UndecodableException
                || thrown instanceof ClaimLostException) {
            return recordEnd(execution, message, thrown);
        }
        boolean stopping = execution.isStopping();
        Thread.interrupted(); // an interrupt was for the handler: the outcome must be written
        if (execution.hasTimedOut()) {
            return recordTimeout(execution, message, thrown);
        }
        if (stopping) {
            return requeue(message, thrown);
        }
        DatabaseError error = DatabaseError.of(thrown);
        if (error == null || (execution.wasCalled() && !error.isTransient())) {
            return recordEnd(execution, message, thrown);
        }
        execution.permit(message).reportRequeued(thrown);
        if (execution.wasCalled()) {
            return requeueAfterFailure(execution, message, thrown);
        }
        requeue(message, thrown);
        // the database failed before the handler was called: the worker reports it and waits
        if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw new IllegalStateException(
                "the transaction of message " + id(message) + " could not begin: check the pool and its database",
                thrown);
    }

    /**
     * Ends a message that is not done. The exception says why: {@link RollbackSignal} carries an outcome of the handler, and {@link NotStartedException} that of a
     * message that must not start; {@link UndecodableException} and {@link ClaimLostException} say it themselves; any other is a failure of the handler. So is an
     * acknowledgement that was rejected though the claim holds: the handler has changed the row itself.
     */
    @Nullable
    Outcome recordEnd(Execution execution, ClaimedMessage message, Throwable thrown) {
        if (thrown instanceof RollbackSignal signal) {
            Outcome returned = signal.outcome();
            if (returned instanceof Outcome.Retry) { // the other outcomes are no failure of what the guards protect
                execution.permit(message).reportFailure(signal);
            }
            Outcome planned = retry.limit(returned, message.attempts(), age(execution, message));
            Outcome limited = startRules.withinExpiry(message, planned);
            return planned instanceof Outcome.Snooze && !limited.equals(planned)
                    ? recordExpired(message, limited)
                    : write(message, limited, execution);
        }
        if (thrown instanceof NotStartedException notStarted) {
            return recordNotStarted(message, notStarted.outcome());
        }
        if (thrown instanceof UndecodableException) {
            String error = thrown.getMessage() + (thrown.getCause() == null ? "" : ": " + thrown.getCause());
            return writeAfterFailure(message, thrown, Outcome.dead(error), execution);
        }
        Throwable failure = thrown;
        if (thrown instanceof ClaimLostException lost) {
            if (!lost.atAcknowledgement || !claims.isHeld(message.claim())) {
                reportFenced(message);
                return null;
            }
            // a claim that is lost is never held again: the transaction itself has hidden the row
            failure = ownRowChanged(lost);
        }
        execution.permit(message).reportFailure(failure);
        return writeAfterFailure(
                message,
                failure,
                startRules.withinExpiry(
                        message, retry.afterFailure(failure, message.attempts(), age(execution, message))),
                execution);
    }

    private QueueMisuseException ownRowChanged(ClaimLostException lost) {
        return QueueMisuseException.withAction(
                handlerName
                        + " has deleted or changed the row of a message that it runs, in acidq_message: the acknowledgement found no row, and after the rollback the"
                        + " claim holds",
                "leave the rows of AcidQ alone in handlers; return an Outcome to end or to move a message",
                lost);
    }

    /** Ends a message that has expired or was cancelled before its start. */
    private @Nullable Outcome recordNotStarted(ClaimedMessage message, Outcome outcome) {
        return outcome.equals(StartRules.CANCELLED) ? write(message, outcome, null) : recordExpired(message, outcome);
    }

    /** Returns whether all of these messages have expired, so that {@link #endExpired} ends them without a run. */
    boolean haveExpired(List<ClaimedMessage> messages) {
        for (ClaimedMessage message : messages) { // each execution asks: no stream
            if (!startRules.hasExpired(message)) {
                return false;
            }
        }
        return true;
    }

    /** Ends messages that have expired before their start, if possible in one transaction. Messages of one ordering key follow each other. */
    List<@Nullable Outcome> endExpired(List<ClaimedMessage> messages) {
        Map<ClaimedMessage, Outcome> ends = new LinkedHashMap<>();
        List<Claim> followers = new ArrayList<>(); // a dead letter may hold up its key: they are requeued with it
        Set<String> keys = new HashSet<>();
        for (ClaimedMessage message : messages) {
            Outcome outcome = startRules.ofExpired(message);
            String key = message.orderingKey();
            if (outcome instanceof Outcome.Dead && key != null && !keys.add(key)) {
                followers.add(message.claim());
            } else {
                ends.put(message, outcome);
            }
        }
        boolean together = ends.size() > 1 && writeTogether(ends, followers);
        Map<ClaimedMessage, Outcome> written = new HashMap<>();
        ends.forEach((message, outcome) -> {
            Outcome end = together ? outcome : recordExpired(message, outcome);
            if (end != null) {
                written.put(message, end);
            }
            if (together) {
                node.telemetry().expired(id(message), outcome);
            }
        });
        if (!together && !followers.isEmpty()) {
            claims.requeueIfClaimed(followers, Duration.ZERO);
        }
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        messages.forEach(message -> outcomes.add(written.get(message)));
        return outcomes;
    }

    /** Ends several expired messages in one transaction. Returns false when nothing was changed and each is to be ended alone. */
    private boolean writeTogether(Map<ClaimedMessage, Outcome> ends, List<Claim> followers) {
        Map<Claim, String> errors = new LinkedHashMap<>();
        ends.forEach((message, outcome) -> {
            if (outcome instanceof Outcome.Dead dead) {
                errors.put(message.claim(), dead.error());
                followers.addAll(buffer.removeFollowers(message.orderingKey()));
            }
        });
        try {
            return errors.isEmpty()
                    ? claims.cancelAllIfClaimed(
                            ends.keySet().stream().map(ClaimedMessage::claim).toList(), Receipt.State.EXPIRED)
                    : claims.deadLetterAllIfClaimed(errors, followers);
        } catch (RuntimeException e) {
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error != DatabaseError.REFUSED) {
                leaveToReconciler(ends.keySet());
                throw e; // the database failed, it did not refuse one of the messages
            }
            return false;
        }
    }

    private @Nullable Outcome recordExpired(ClaimedMessage message, Outcome outcome) {
        Outcome written = writeWithReceipt(message, outcome, Receipt.State.EXPIRED, null);
        if (written != null && !written.equals(StartRules.CANCELLED)) {
            node.telemetry().expired(id(message), written);
        }
        return written;
    }

    private @Nullable Outcome writeAfterFailure(
            ClaimedMessage message, Throwable failure, Outcome outcome, Execution execution) {
        Outcome written = write(message, outcome, execution);
        if (written != null) {
            node.telemetry().failed(id(message), failure, written);
        }
        return written;
    }

    /**
     * Ends a message whose call was stopped at its time limit.
     *
     * @param thrown the exception of the stopped call; null when the call ignored the stop and was given up
     */
    @Nullable
    Outcome recordTimeout(Execution execution, ClaimedMessage message, @Nullable Throwable thrown) {
        return recordEnd(execution, message, timeout(List.of(message), thrown));
    }

    private HandlerTimeoutException timeout(List<ClaimedMessage> messages, @Nullable Throwable thrown) {
        Duration limit = messages.stream().anyMatch(startRules::isPastDeadline) ? null : timeout;
        return new HandlerTimeoutException(queue, limit, thrown);
    }

    /**
     * Requeues a message whose run was cut short by no fault of its own, together with the unstarted messages of its
     * ordering key, and refunds its attempt.
     */
    @Nullable
    Outcome requeue(ClaimedMessage message, Throwable failure) {
        requeue(message, RequeueBackoff.waitOf(message, 0), failure);
        return null;
    }

    /**
     * Requeues a message whose handler failed by a transient error of a database. Such an error may be the message's own all the same, such as a query that always
     * takes too long: when it comes again and again, it is reported, the waits grow further, and a maximum age ends it.
     */
    private @Nullable Outcome requeueAfterFailure(Execution execution, ClaimedMessage message, Throwable failure) {
        int times = backoff.countFailure(message);
        Duration wait = RequeueBackoff.waitOf(message, times);
        if (times >= FAILURES_BEFORE_REPORT) {
            Outcome limited = retry.limit(
                    Outcome.snooze(
                            wait,
                            "it has failed " + times + " times here by errors that count no attempt: " + text(failure)),
                    message.attempts(),
                    age(execution, message));
            if (limited instanceof Outcome.Dead) {
                return writeAfterFailure(message, failure, limited, execution);
            }
        }
        requeue(message, wait, failure);
        if (times % FAILURES_BEFORE_REPORT == 0 && Integer.bitCount(times / FAILURES_BEFORE_REPORT) == 1) {
            node.telemetry().failsTransiently(id(message), times, failure);
        }
        return null;
    }

    private static String text(Throwable failure) {
        try {
            return failure.toString();
        } catch (Throwable e) { // also an Error: it must not hide the failure
            return failure.getClass().getName();
        }
    }

    /** Requeues a suspect that has waited too long for running messages to end. */
    void requeueSuspect(ClaimedMessage message, Duration wait) {
        requeue(
                message,
                wait,
                new IllegalStateException(
                        "this message has crashed a process and must run alone, but other messages of its queue did not end in time"));
    }

    private void requeue(ClaimedMessage message, Duration wait, Throwable failure) {
        List<Claim> requeued = new ArrayList<>(buffer.removeFollowers(message.orderingKey()));
        requeued.add(0, message.claim());
        boolean ended;
        try {
            ended = claims.requeueIfClaimed(requeued, wait) > 0;
        } catch (RuntimeException e) {
            leaveToReconciler(List.of(message));
            throw e;
        }
        if (ended) {
            node.telemetry().requeued(id(message), failure);
            reportClaimsWithoutAttempt(message);
        } else {
            reportFenced(message);
        }
    }

    /** Reports that the transaction of several messages is lost, and that each of them runs again alone. */
    void reportBatchSplit(Execution execution, Throwable thrown) {
        List<ClaimedMessage> messages = execution.messages();
        node.telemetry()
                .batchSplit(queue, messages.size(), execution.hasTimedOut() ? timeout(messages, thrown) : thrown);
    }

    /**
     * Leaves messages whose end could not be written to the reconciler. Messages behind them with the same ordering key
     * do not start here before that.
     */
    void leaveToReconciler(Collection<ClaimedMessage> messages) {
        messages.forEach(message -> buffer.removeFollowers(message.orderingKey()));
        node.wakeReconciler();
    }

    private void reportFenced(ClaimedMessage message) {
        leaveToReconciler(List.of(message));
        node.telemetry().fenced(id(message));
    }

    /**
     * Writes an outcome other than done. Returns null when the claim was lost. Throws an exception when the database
     * cannot be reached.
     */
    private @Nullable Outcome write(ClaimedMessage message, Outcome outcome, @Nullable Execution execution) {
        return writeWithReceipt(message, outcome, Receipt.State.CANCELLED, attempts.of(outcome, execution));
    }

    /**
     * Writes an outcome other than done.
     *
     * @param ifCancelled what the receipt of the message says if the outcome removes it
     * @param attempt     is recorded with the outcome; null to record nothing
     */
    private @Nullable Outcome writeWithReceipt(
            ClaimedMessage message, Outcome outcome, Receipt.State ifCancelled, @Nullable FailedAttempt attempt) {
        Outcome written = outcome;
        boolean ended;
        try {
            ended = writeIfClaimed(message, outcome, ifCancelled, attempt);
        } catch (RuntimeException e) {
            DatabaseError refusal = DatabaseError.of(e);
            if (attempt != null && refusal != null && !refusal.isTransient()) {
                // the record may be what was refused, and must not decide what becomes of the message
                if (refusal == DatabaseError.OTHER) { // the table or the privilege is missing: not tried again
                    attempts.disable(e);
                }
                return writeWithReceipt(message, outcome, ifCancelled, null);
            }
            leaveToReconciler(List.of(message));
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error != DatabaseError.REFUSED) {
                throw e; // the database failed, it did not refuse this outcome
            }
            // a second try would be refused too, and without a recorded end the message would be requeued and run again
            // without limit
            written = Outcome.dead(unwritableText(outcome, e));
            ended = writeIfClaimed(message, written, ifCancelled, null);
        }
        if (!ended && !(written instanceof Outcome.Cancelled) && claims.cancelIfRequested(message.claim())) {
            leaveToReconciler(List.of(message)); // requeues the messages behind it, which its transaction did not
            return StartRules.CANCELLED;
        }
        if (!ended) {
            reportFenced(message);
            return null;
        }
        if (written instanceof Outcome.Snooze) {
            reportClaimsWithoutAttempt(message);
        }
        return written;
    }

    private boolean writeIfClaimed(
            ClaimedMessage message, Outcome outcome, Receipt.State ifCancelled, @Nullable FailedAttempt attempt) {
        return outcome.match(new Outcome.Cases<Boolean>() {
            @Override
            public Boolean done() {
                throw new IllegalStateException("done is acknowledged in the handler's transaction");
            }

            @Override
            public Boolean retry(Duration delay, String error) {
                // removed before the write: no message behind it may start once its claim has ended
                return claims.retryIfClaimed(message, delay, buffer.removeFollowers(message.orderingKey()), attempt);
            }

            @Override
            public Boolean snooze(Duration delay, String reason) {
                return claims.snoozeIfClaimed(message, delay, buffer.removeFollowers(message.orderingKey()));
            }

            @Override
            public Boolean cancelled(String reason) {
                return claims.cancelIfClaimed(message.claim(), ifCancelled);
            }

            @Override
            public Boolean dead(String error) {
                return claims.deadLetterIfClaimed(
                        message.claim(), error, buffer.removeFollowers(message.orderingKey()), attempt);
            }
        });
    }

    /** Returns an error text without the refused content, which would be refused again. */
    private static String unwritableText(Outcome outcome, RuntimeException why) {
        String text = String.valueOf(why.getMessage()).replaceAll("[^\\x20-\\x7E]", "?");
        String kind = outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return "its outcome (" + kind + ") could not be written: "
                + why.getClass().getName() + ": " + text.substring(0, Math.min(text.length(), MAX_ERROR_LENGTH));
    }

    /**
     * Snoozes and transient errors have no limit, so a message that is claimed again and again without an attempt is
     * reported now and then.
     */
    private void reportClaimsWithoutAttempt(ClaimedMessage message) {
        int count = RequeueBackoff.claimsWithoutAttempt(message) + 1; // the attempt of the present claim is refunded
        if (count % CLAIMS_WITHOUT_ATTEMPT_PER_REPORT == 0) {
            node.telemetry().claimedWithoutAttempt(id(message), count);
        }
    }

    private Duration age(Execution execution, ClaimedMessage message) {
        return message.age().plusNanos(node.nanoTime().getAsLong() - execution.startNanos());
    }

    private MessageId id(ClaimedMessage message) {
        return message.id(queue);
    }

    /** The exception that rolls back the handler's transaction and carries an outcome other than done out of it. */
    static final class RollbackSignal extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient Outcome outcome;

        RollbackSignal(Outcome outcome) {
            super("rolled back: " + outcome, null, false, false);
            this.outcome = outcome;
        }

        Outcome outcome() {
            return outcome;
        }
    }

    /**
     * The exception that rolls back the transaction of a run whose claim no longer holds: the fence has rejected its
     * acknowledgement.
     */
    static final class ClaimLostException extends AcidqException {

        private static final long serialVersionUID = 1L;

        private final boolean atAcknowledgement;

        ClaimLostException(MessageId id) {
            this(id, false);
        }

        /** Creates an exception; the flag says whether the fence has rejected the acknowledgement in the handler's transaction. */
        ClaimLostException(MessageId id, boolean atAcknowledgement) {
            super("message " + id + " lost its claim while it ran; the handler's transaction is rolled back");
            this.atAcknowledgement = atAcknowledgement;
        }
    }
}
