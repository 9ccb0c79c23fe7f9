package io.acidq.engine.listener;

import io.acidq.BatchHandler.Item;
import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.config.BatchHandlerAdapter;
import io.acidq.config.HandlerMode;
import io.acidq.config.Listener;
import io.acidq.store.Claim;
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
 * Runs what a worker has taken. Several messages share one transaction: a batch handler is called once for all of them, any other handler
 * for one after the other. When that transaction is lost as a whole, each message runs again in one of its own. Thread-safe.
 */
final class BatchExecutor<T> {

    private static final String SAVEPOINT = "acidq_message";

    /** Transactions with savepoints after a setback; a queue in which every tenth message fails has them always. */
    private static final int BATCHES_WITH_SAVEPOINTS = 20;

    private final Listener<T> listener;
    private final HandlerInvoker<T> invoker;
    private final Transactions transactions;
    private final OutcomeRecorder recorder;
    private final MessageExecutor<T> messageExecutor;
    private final AtomicInteger batchesWithSavepointsLeft = new AtomicInteger();
    private final IsolatedMessages isolatedMessages = new IsolatedMessages();

    BatchExecutor(
            Listener<T> listener, HandlerInvoker<T> invoker, Transactions transactions, OutcomeRecorder recorder) {
        this.listener = listener;
        this.invoker = invoker;
        this.transactions = transactions;
        this.recorder = recorder;
        this.messageExecutor = new MessageExecutor<>(listener.options().mode(), invoker, transactions, recorder);
    }

    /** A worker begins; what runs outside of transactions keeps no connection meanwhile. */
    Transactions.WorkerSession workerSession() {
        return listener.options().mode() == HandlerMode.EXTERNAL
                ? Transactions.WorkerSession.NONE
                : transactions.workerSession();
    }

    /** A call for all of these did not come back: one of them is to blame, and from now on each runs alone here. */
    void isolate(List<ClaimedMessage> messages) {
        isolatedMessages.add(messages);
    }

    /**
     * Runs them and has the end of each written.
     *
     * @return an outcome for each; null for those that were requeued, or were not this node's any more
     */
    List<@Nullable Outcome> execute(Execution execution) {
        List<ClaimedMessage> messages = execution.messages();
        Throwable lost = null;
        if (messages.size() > 1 && !isolatedMessages.holdsAnyOf(messages)) {
            Map<ClaimedMessage, MessageResult> results = null;
            try {
                results = listener.handler() instanceof BatchHandlerAdapter<T> handler
                        ? transactions.inNew(() -> executeInOneCall(execution, messages, handler))
                        : executeEachMessage(execution, messages);
            } catch (Throwable e) { // all of it is rolled back, or that is unknown: the fence tells
                Thread.interrupted();
                recorder.reportBatchSplit(messages.size(), e);
                lost = e;
            }
            if (results != null) {
                return outcomes(execution, results);
            }
        }
        ClaimedMessage late = lost == null ? null : execution.overdueMessage();
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        for (ClaimedMessage message : messages) { // each in a transaction of its own
            if (execution.isGivenUp()) { // nothing of it is this thread's any more
                outcomes.add(null);
            } else if (message.equals(late)) {
                outcomes.add(recorder.timedOut(execution, message, lost));
            } else if (lost != null && execution.isStopping()) {
                outcomes.add(recorder.requeue(message, lost));
            } else {
                Outcome outcome = messageExecutor.execute(execution, message);
                if (outcome == Outcome.done()) {
                    isolatedMessages.remove(message);
                }
                outcomes.add(outcome);
            }
        }
        return outcomes;
    }

    /** After the commit: has those ends written that are not acknowledgements. */
    private List<@Nullable Outcome> outcomes(Execution execution, Map<ClaimedMessage, MessageResult> results) {
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        for (ClaimedMessage message : execution.messages()) {
            Throwable thrown = Objects.requireNonNull(results.get(message)).thrown();
            if (thrown == null) {
                execution.permit(message).succeeded();
                outcomes.add(Outcome.done());
            } else {
                outcomes.add(recorder.messageFailed(execution, message, thrown));
            }
        }
        return outcomes;
    }

    /** Calls a batch handler once, in the transaction on the calling thread. */
    private Map<ClaimedMessage, MessageResult> executeInOneCall(
            Execution execution, List<ClaimedMessage> messages, BatchHandlerAdapter<T> handler) throws Exception {
        Map<ClaimedMessage, MessageResult> results = new HashMap<>();
        List<ClaimedMessage> called = new ArrayList<>();
        List<Item<T>> items = new ArrayList<>();
        for (ClaimedMessage message : messages) {
            try {
                items.add(invoker.decode(message));
                called.add(message);
            } catch (UndecodableException | ClaimLostException e) {
                results.put(message, new MessageResult(message, e));
            }
        }
        if (items.isEmpty()) {
            return results;
        }
        called.forEach(message -> execution.permit(message).begin());
        List<Outcome> outcomes = invoker.invokeBatch(execution, called, handler, items);
        called.forEach(message -> execution.permit(message).handlerReturned(called.size()));
        List<Claim> done = new ArrayList<>();
        for (int i = 0; i < called.size(); i++) {
            MessageResult result = MessageResult.of(called.get(i), outcomes.get(i));
            results.put(result.message(), result);
            if (result.isDone()) {
                done.add(result.message().claim());
            }
        }
        if (!done.isEmpty() && !recorder.acknowledgeAll(done)) {
            // what was done for the one that was lost cannot be told from the rest
            throw new ClaimLostException(called.get(0).id(listener.queue()));
        }
        return results;
    }

    /**
     * Calls the handler for one message after the other, in a transaction that they share, and commits it. While all goes well there are no
     * savepoints, and there is one acknowledgement for all: what goes wrong then takes the effects of its neighbours along, and they run
     * again, each behind a savepoint, as do the next transactions.
     *
     * @throws Exception when nothing is committed, or that is unknown
     */
    private Map<ClaimedMessage, MessageResult> executeEachMessage(Execution execution, List<ClaimedMessage> messages)
            throws Exception {
        if (batchesWithSavepointsLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return transactions.inNew(() -> executeWithSavepoints(execution, messages));
        }
        try {
            return transactions.inNew(() -> executeAllOrNone(execution, messages));
        } catch (MessageNotDoneException messageNotDoneException) {
            batchesWithSavepointsLeft.set(BATCHES_WITH_SAVEPOINTS);
            return executeAgain(execution, messages, messageNotDoneException.result);
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
        List<Claim> done = messages.stream().map(ClaimedMessage::claim).toList();
        if (!recorder.acknowledgeAll(done)) {
            throw new MessageNotDoneException(claimLost(messages.get(0))); // the next round tells which of them it is
        }
        return results;
    }

    /** The message that has its result is not handled again; the others are. */
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
            if (result.isDone() && !recorder.acknowledge(message.claim())) {
                result = claimLost(message);
            }
            if (!result.isDone()) {
                before.rollback();
            }
            results.put(message, result);
        }
        return results;
    }

    private MessageResult handle(Execution execution, ClaimedMessage message) throws Exception {
        if (execution.isGivenUp()) {
            throw new ClaimLostException(message.id(listener.queue()));
        }
        execution.permit(message).begin();
        try {
            return MessageResult.of(message, invoker.invoke(execution, message, invoker.decode(message)));
        } catch (UndecodableException | ClaimLostException e) {
            return new MessageResult(message, e);
        } catch (Throwable e) {
            DatabaseError error = DatabaseError.of(e);
            if (execution.hasTimedOut()
                    || e instanceof InterruptedException
                    || (error != null && error.isTransient())) {
                throw e; // the transaction as a whole is lost, or it is no fault of the message
            }
            return new MessageResult(message, e);
        } finally {
            execution.permit(message).handlerReturned(1);
        }
    }

    private MessageResult claimLost(ClaimedMessage message) {
        return new MessageResult(message, new ClaimLostException(message.id(listener.queue())));
    }

    /**
     * How a message fared inside a transaction that it shares with others; its end is written after that.
     *
     * @param thrown why its part of the transaction is taken back; null when it is done and acknowledged
     */
    private record MessageResult(
            ClaimedMessage message, @Nullable Throwable thrown) {

        static MessageResult of(ClaimedMessage message, Outcome outcome) {
            return new MessageResult(message, outcome == Outcome.done() ? null : new RollbackSignal(outcome));
        }

        boolean isDone() {
            return thrown == null;
        }

        boolean isLost() {
            return thrown instanceof ClaimLostException;
        }
    }

    /** Not an error: takes the transaction back with the result of the message that does not let it commit. */
    @SuppressWarnings("serial") // never leaves this class
    private static final class MessageNotDoneException extends Exception {

        private final MessageResult result;

        MessageNotDoneException(MessageResult result) {
            super("a message did not end in done", null, false, false);
            this.result = result;
        }
    }

    /** Messages that share no transaction with others in this node any more, the latest thousand of them. Thread-safe. */
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
