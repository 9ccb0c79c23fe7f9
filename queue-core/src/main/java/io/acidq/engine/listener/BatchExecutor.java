package io.acidq.engine.listener;

import io.acidq.BatchHandler.Item;
import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.config.Listener.BatchHandlerAdapter;
import io.acidq.engine.listener.HandlerInvoker.RecoverySignal;
import io.acidq.engine.listener.OutcomeRecorder.ClaimLostException;
import io.acidq.engine.listener.OutcomeRecorder.DoneMessage;
import io.acidq.engine.listener.OutcomeRecorder.RollbackSignal;
import io.acidq.engine.listener.StartRules.NotStartedException;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The executor of the messages that a worker has taken together. They share one transaction, in which a batch handler is called once for all of them,
 * and any other handler once for each. When the shared transaction is lost, each message runs again in a transaction of its own; when the outcome of
 * its COMMIT is unknown, they are requeued. A single message goes to the {@link MessageExecutor} at once. Thread-safe.
 */
final class BatchExecutor<T> {

    private static final String SAVEPOINT = "acidq_message";

    /**
     * How many transactions use savepoints after a message has failed: in a queue where every tenth message fails, all
     * of them do.
     */
    private static final int BATCHES_WITH_SAVEPOINTS = 20;

    private final Listener<T> listener;
    private final HandlerInvoker<T> invoker;
    private final Transactions transactions;
    private final OutcomeRecorder recorder;
    private final MessageExecutor<T> messageExecutor;
    private final AtomicInteger batchesWithSavepointsLeft = new AtomicInteger();
    private final IsolatedMessages isolatedMessages = new IsolatedMessages();

    BatchExecutor(HandlerInvoker<T> invoker, Transactions transactions, OutcomeRecorder recorder) {
        this.listener = invoker.listener();
        this.invoker = invoker;
        this.transactions = transactions;
        this.recorder = recorder;
        this.messageExecutor = new MessageExecutor<>(listener.options().mode(), invoker, transactions, recorder);
    }

    /**
     * Opens the session in which a worker keeps its connection between transactions. In external mode it keeps none.
     */
    Transactions.WorkerSession workerSession() {
        return listener.options().mode() == HandlerMode.EXTERNAL
                ? Transactions.WorkerSession.NONE
                : transactions.workerSession();
    }

    /**
     * Lets each of these messages run alone from now on: a call for all of them did not return, and one of them is the
     * cause.
     */
    void isolate(List<ClaimedMessage> messages) {
        isolatedMessages.add(messages);
    }

    /**
     * Runs the messages and records the end of each.
     *
     * @return the outcome of each message; null for one that was requeued or whose claim was lost
     */
    List<@Nullable Outcome> execute(Execution execution) {
        List<ClaimedMessage> messages = execution.messages();
        if (recorder.haveExpired(messages)) {
            return recorder.endExpired(messages);
        }
        Map<ClaimedMessage, MessageResult> results = null;
        LostBatch lost = null;
        if (messages.size() > 1 && !isolatedMessages.holdsAnyOf(messages)) {
            try {
                results = executeTogether(execution, messages);
            } catch (Throwable e) {
                lost = lostBatch(execution, e);
            }
        }
        if (results != null) {
            return outcomes(execution, results);
        }
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        for (ClaimedMessage message : messages) { // each runs in a transaction of its own
            if (execution.isGivenUp()) {
                outcomes.add(null); // the timeout enforcer ends the remaining messages
            } else if (lost != null && !mayRunAgain(execution, message, lost)) {
                outcomes.add(endWithoutRun(execution, message, lost));
            } else {
                Outcome outcome = messageExecutor.execute(execution, message);
                if (outcome != null && outcome.isDone()) {
                    isolatedMessages.remove(message);
                }
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    private static boolean mayRunAgain(Execution execution, ClaimedMessage message, LostBatch lost) {
        return !message.equals(lost.overdue) && !lost.mayHaveCommitted && !execution.isStopping();
    }

    private @Nullable Outcome endWithoutRun(Execution execution, ClaimedMessage message, LostBatch lost) {
        if (message.equals(lost.overdue)) {
            return recorder.recordTimeout(execution, message, lost.failure);
        }
        if (lost.mayHaveCommitted) {
            execution.permit(message).reportRequeued(lost.failure);
        }
        return recorder.requeue(message, lost.failure);
    }

    private Map<ClaimedMessage, MessageResult> executeTogether(Execution execution, List<ClaimedMessage> messages)
            throws Exception {
        return listener.handler() instanceof BatchHandlerAdapter<T> handler
                ? transactions.inNew(() -> executeInOneCall(execution, messages, handler))
                : executeEachMessage(execution, messages);
    }

    /**
     * A shared transaction that was lost, or whose COMMIT has an unknown outcome.
     *
     * @param mayHaveCommitted whether the messages may be done, and the next ones of their ordering keys may run: then no handler is called again under
     *                         these claims
     * @param overdue          the message whose call has reached its time limit; null when there is none
     */
    private record LostBatch(
            Throwable failure,
            boolean mayHaveCommitted,
            @Nullable ClaimedMessage overdue) {}

    private LostBatch lostBatch(Execution execution, Throwable failure) {
        Thread.interrupted();
        boolean mayHaveCommitted = execution.mayHaveCommitted(failure);
        if (!mayHaveCommitted) {
            recorder.reportBatchSplit(execution, failure);
        }
        return new LostBatch(failure, mayHaveCommitted, execution.overdueMessage());
    }

    /** Records, after the commit, the ends of the messages that are not done. */
    private List<@Nullable Outcome> outcomes(Execution execution, Map<ClaimedMessage, MessageResult> results) {
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        for (ClaimedMessage message : execution.messages()) {
            Throwable thrown = Objects.requireNonNull(results.get(message)).thrown();
            if (thrown == null) {
                execution.permit(message).reportSuccess();
                outcomes.add(Outcome.done());
            } else {
                outcomes.add(recorder.recordEnd(execution, message, thrown));
            }
        }
        return outcomes;
    }

    /** Calls a batch handler once for all messages, in the transaction on the calling thread. */
    private Map<ClaimedMessage, MessageResult> executeInOneCall(
            Execution execution, List<ClaimedMessage> messages, BatchHandlerAdapter<T> handler) throws Exception {
        Map<ClaimedMessage, MessageResult> results = new HashMap<>();
        List<ClaimedMessage> called = new ArrayList<>();
        List<Item<T>> items = new ArrayList<>();
        for (ClaimedMessage message : messages) {
            try {
                execution.checkStart(message);
                items.add(invoker.decode(message));
                called.add(message);
            } catch (NotStartedException | UndecodableException | ClaimLostException e) {
                results.put(message, new MessageResult(message, e));
            }
        }
        if (items.isEmpty()) {
            return results;
        }
        called.forEach(message -> execution.permit(message).begin());
        List<Outcome> outcomes = invoker.invokeBatch(execution, called, handler, items);
        called.forEach(message -> execution.permit(message).handlerReturned(called.size()));
        List<DoneMessage> done = new ArrayList<>();
        for (int i = 0; i < called.size(); i++) {
            MessageResult result = MessageResult.of(called.get(i), outcomes.get(i));
            results.put(result.message(), result);
            if (result.isDone()) {
                done.add(result.done());
            }
        }
        if (!done.isEmpty() && !recorder.acknowledgeAll(done)) {
            // the work for the lost message cannot be separated from the rest
            throw new ClaimLostException(called.get(0).id(listener.queue()), true);
        }
        execution.beginCommit();
        return results;
    }

    /**
     * Calls the handler for one message after the other in a shared transaction, and commits it. At first it uses no
     * savepoints and acknowledges all messages at once. When a message fails, the whole transaction rolls back, and the
     * other messages run again with a savepoint before each, as do the next batches.
     *
     * @throws Exception when nothing is committed, or when the outcome of the COMMIT is unknown
     */
    private Map<ClaimedMessage, MessageResult> executeEachMessage(Execution execution, List<ClaimedMessage> messages)
            throws Exception {
        if (batchesWithSavepointsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return transactions.inNew(() -> executeWithSavepoints(execution, messages));
        }
        try {
            return transactions.inNew(() -> executeAllOrNone(execution, messages));
        } catch (MessageNotDoneException e) {
            batchesWithSavepointsLeft.set(BATCHES_WITH_SAVEPOINTS);
            return executeAgain(execution, messages, e.result);
        }
    }

    private Map<ClaimedMessage, MessageResult> executeAllOrNone(Execution execution, List<ClaimedMessage> messages)
            throws Exception {
        Map<ClaimedMessage, MessageResult> results = new HashMap<>();
        for (ClaimedMessage message : messages) {
            MessageResult result = handle(execution, message);
            if (!result.isDone()) {
                throw new MessageNotDoneException(result);
            }
            results.put(message, result);
        }
        List<DoneMessage> done = messages.stream()
                .map(message -> Objects.requireNonNull(results.get(message)).done())
                .toList();
        if (!recorder.acknowledgeAll(done)) {
            throw new MessageNotDoneException(claimLost(messages.get(0))); // the next run finds out which
        }
        execution.beginCommit();
        return results;
    }

    /** Handles the messages again, except for one whose result is known. */
    private Map<ClaimedMessage, MessageResult> executeAgain(
            Execution execution, List<ClaimedMessage> messages, MessageResult result) throws Exception {
        if (result.isLost()) {
            return transactions.inNew(() -> executeWithSavepoints(execution, messages));
        }
        List<ClaimedMessage> others =
                messages.stream().filter(m -> !m.equals(result.message())).toList();
        Map<ClaimedMessage, MessageResult> results = transactions.inNew(() -> executeWithSavepoints(execution, others));
        results.put(result.message(), result);
        return results;
    }

    private Map<ClaimedMessage, MessageResult> executeWithSavepoints(Execution execution, List<ClaimedMessage> messages)
            throws Exception {
        Map<ClaimedMessage, MessageResult> results = new HashMap<>();
        for (ClaimedMessage message : messages) {
            Transactions.TransactionSavepoint before = transactions.savepoint(SAVEPOINT);
            MessageResult result = handle(execution, message);
            if (result.isDone() && !recorder.acknowledge(result.done())) {
                result = claimLost(message);
            }
            if (!result.isDone()) {
                before.rollback();
            }
            results.put(message, result);
        }
        execution.beginCommit();
        return results;
    }

    private MessageResult handle(Execution execution, ClaimedMessage message) throws Exception {
        if (execution.isGivenUp()) {
            throw new ClaimLostException(message.id(listener.queue()));
        }
        execution.permit(message).begin();
        try {
            return MessageResult.of(message, invoker.invoke(execution, message, invoker.decode(message), null));
        } catch (NotStartedException | UndecodableException | ClaimLostException e) {
            return new MessageResult(message, e);
        } catch (Throwable e) {
            DatabaseError error = DatabaseError.of(e);
            if (execution.hasTimedOut()
                    || e instanceof InterruptedException
                    || e instanceof RecoverySignal // the error handler needs a transaction for this message alone
                    || (error != null && error.isTransient())) {
                throw e; // the whole transaction is lost, or it is not the message's fault
            }
            return new MessageResult(message, e);
        } finally {
            execution.permit(message).handlerReturned(1);
        }
    }

    private MessageResult claimLost(ClaimedMessage message) {
        return new MessageResult(message, new ClaimLostException(message.id(listener.queue()), true));
    }

    /**
     * The result of a message within a shared transaction.
     *
     * @param outcome what the handler returned, if the message is done
     * @param thrown  why the work for the message must not commit; null when the message is done
     */
    private record MessageResult(
            ClaimedMessage message,
            Outcome outcome,
            @Nullable Throwable thrown) {

        static MessageResult of(ClaimedMessage message, Outcome outcome) {
            return outcome.isDone()
                    ? new MessageResult(message, outcome, null)
                    : new MessageResult(message, new RollbackSignal(outcome));
        }

        MessageResult(ClaimedMessage message, Throwable thrown) {
            this(message, Outcome.done(), thrown);
        }

        DoneMessage done() {
            return new DoneMessage(message.claim(), outcome);
        }

        boolean isDone() {
            return thrown == null;
        }

        boolean isLost() {
            return thrown instanceof ClaimLostException;
        }
    }

    /**
     * The exception that rolls back a shared transaction because of one message, and carries the result of that
     * message.
     */
    @SuppressWarnings("serial") // never leaves this class
    private static final class MessageNotDoneException extends Exception {

        private final MessageResult result;

        MessageNotDoneException(MessageResult result) {
            super("a message did not end in done", null, false, false);
            this.result = result;
        }
    }

    /** The latest messages that may not share a transaction with others in this node. Thread-safe. */
    private static final class IsolatedMessages {

        private static final int MAX_MESSAGES = 1000;

        private final Set<UUID> uids = new LinkedHashSet<>();

        synchronized void add(List<ClaimedMessage> messages) {
            messages.forEach(m -> uids.add(m.uid()));
            Iterator<UUID> oldest = uids.iterator();
            while (uids.size() > MAX_MESSAGES) {
                oldest.next();
                oldest.remove();
            }
        }

        synchronized boolean holdsAnyOf(List<ClaimedMessage> messages) {
            return !uids.isEmpty() && messages.stream().anyMatch(m -> uids.contains(m.uid()));
        }

        synchronized void remove(ClaimedMessage message) {
            uids.remove(message.uid());
        }
    }
}
