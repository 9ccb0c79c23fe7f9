package io.acidq.engine.listener;

import io.acidq.BatchHandler.Item;
import io.acidq.Outcome;
import io.acidq.config.HandlerMode;
import io.acidq.engine.guard.StartGuards.Permit;
import io.acidq.engine.listener.HandlerInvoker.RecoverySignal;
import io.acidq.engine.listener.OutcomeRecorder.ClaimLostException;
import io.acidq.engine.listener.OutcomeRecorder.DoneMessage;
import io.acidq.engine.listener.OutcomeRecorder.RollbackSignal;
import io.acidq.engine.loop.FailureTracker;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The executor of single messages. It runs the handler in a transaction whose last statement is the fenced
 * acknowledgement; in external mode it acknowledges in a transaction of its own after the handler. Thread-safe.
 */
final class MessageExecutor<T> {

    /**
     * How often the acknowledgement of external work is tried: for about a minute, in which a server restarts or fails
     * over.
     */
    private static final int MAX_TRIES = 25;

    private static final Duration MAX_WAIT = Duration.ofSeconds(3);

    private final HandlerMode handlerMode;
    private final HandlerInvoker<T> invoker;
    private final Transactions transactions;
    private final OutcomeRecorder recorder;

    MessageExecutor(
            HandlerMode handlerMode, HandlerInvoker<T> invoker, Transactions transactions, OutcomeRecorder recorder) {
        this.handlerMode = handlerMode;
        this.invoker = invoker;
        this.transactions = transactions;
        this.recorder = recorder;
    }

    /**
     * Runs a message and records its end.
     *
     * @return the outcome; null when the message was requeued or its claim was lost
     */
    @Nullable
    Outcome execute(Execution execution, ClaimedMessage message) {
        Permit permit = execution.permit(message);
        execution.beginAttempt();
        try {
            execution.checkStart(message); // before a transaction begins only to roll back
            permit.begin();
            if (handlerMode == HandlerMode.EXTERNAL) {
                Item<T> item = invoker.decode(message);
                Outcome outcome = requireDone(invoker.invoke(execution, message, item, null));
                acknowledgeAfterwards(message, item, outcome);
            } else {
                // a payload that is still to be read is read in the handler's transaction, on its connection
                Item<T> read = message.payload() == null ? null : invoker.decode(message);
                try {
                    transactions.inNew(work(execution, message, read, null));
                } catch (RecoverySignal failure) {
                    transactions.inNew(work(execution, message, read, failure));
                }
            }
            permit.reportSuccess();
            return Outcome.done();
        } catch (Throwable e) { // also an Error: it counts as a failure of the handler
            return recorder.endAfterException(execution, message, e);
        }
    }

    /** Returns what is done in the handler's transaction, or after a failure in the next one. */
    private Callable<Outcome> work(
            Execution execution, ClaimedMessage message, @Nullable Item<T> read, @Nullable RecoverySignal failure) {
        return () -> {
            Item<T> item = read == null ? invoker.decode(message) : read;
            Outcome outcome = requireDone(invoker.invoke(execution, message, item, failure));
            acknowledge(message, item, outcome);
            return outcome;
        };
    }

    private static Outcome requireDone(Outcome outcome) throws RollbackSignal {
        if (!outcome.isDone()) {
            throw new RollbackSignal(outcome);
        }
        return outcome;
    }

    /**
     * Acknowledges in a transaction of its own. The external work is done, and a transient error must not cause it to
     * be done again.
     */
    private void acknowledgeAfterwards(ClaimedMessage message, Item<T> item, Outcome outcome) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                transactions.inNew(() -> {
                    requireHeld(item, recorder.acknowledgeExternal(new DoneMessage(message.claim(), outcome)));
                    return outcome;
                });
                return;
            } catch (Exception e) {
                DatabaseError error = DatabaseError.of(e);
                if (tries == MAX_TRIES || error == null || !error.isTransient()) {
                    throw e;
                }
                Thread.sleep(FailureTracker.backoff(tries, MAX_WAIT).toMillis());
            }
        }
    }

    private void acknowledge(ClaimedMessage message, Item<T> item, Outcome outcome) {
        requireHeld(item, recorder.acknowledge(new DoneMessage(message.claim(), outcome)));
    }

    private void requireHeld(Item<T> item, boolean held) {
        if (!held) {
            throw new ClaimLostException(item.delivery().id(), true);
        }
    }
}
