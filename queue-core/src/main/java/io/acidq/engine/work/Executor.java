package io.acidq.engine.work;

import io.acidq.BatchHandler.Item;
import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.engine.duty.Trouble;
import io.acidq.engine.guard.Passage;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs the handler for one message, with the fenced acknowledgement as the last statement of the handler's transaction, or in
 * external mode in a transaction of its own after the handler.
 */
final class Executor<T> {

    /** Of tries to write that external work is done: about a minute, in which a server restarts or another takes its place. */
    private static final int TRIES = 25;

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

    private final Listener<T> listener;
    private final Call<T> call;
    private final Transactions transactions;
    private final Predicate<Claim> ack;
    private final Judge judge;

    Executor(Listener<T> listener, Call<T> call, Transactions transactions, Predicate<Claim> ack, Judge judge) {
        this.listener = listener;
        this.call = call;
        this.transactions = transactions;
        this.ack = ack;
        this.judge = judge;
    }

    /**
     * Runs it and writes what it ended in.
     *
     * @param interrupting whether the engine interrupts handlers to stop, so that a failure is no fault of the message
     * @return the outcome; null when the message was given back, or was not this node's any more
     */
    @Nullable
    Outcome run(Run run, ClaimedMessage message, BooleanSupplier interrupting) {
        Passage passage = run.passage(message);
        passage.begins();
        run.takesUp();
        try {
            if (listener.options().mode() == Mode.EXTERNAL) {
                runOutside(run, message, call.item(message));
            } else if (message.payload() == null) { // the worker's connection reads it
                transactions.inNew(() -> runInside(run, message, call.item(message)));
            } else {
                Item<T> item = call.item(message);
                transactions.inNew(() -> runInside(run, message, item));
            }
            passage.succeeded();
            return Outcome.done();
        } catch (RolledBack r) {
            return judge.asked(run, message, r.outcome());
        } catch (UndecodableException e) {
            return judge.undecodable(message, e);
        } catch (ClaimLostException e) {
            return judge.lost(message);
        } catch (Throwable e) { // also an Error of the handler: it counts as a failure, the engine lives on
            return failed(run, message, e, interrupting.getAsBoolean());
        }
    }

    private Outcome runInside(Run run, ClaimedMessage message, Item<T> item) throws Exception {
        Outcome outcome = call.one(run, message, item);
        if (outcome != Outcome.done()) {
            throw new RolledBack(outcome);
        }
        acknowledge(message, item);
        return outcome;
    }

    private void runOutside(Run run, ClaimedMessage message, Item<T> item) throws Exception {
        Outcome outcome = call.one(run, message, item);
        if (outcome != Outcome.done()) {
            throw new RolledBack(outcome);
        }
        for (int tries = 1; ; tries++) {
            try {
                transactions.inNew(() -> {
                    acknowledge(message, item);
                    return outcome;
                });
                return;
            } catch (Exception e) { // the work is done: a passing error must not make it be done again
                DatabaseError error = DatabaseError.of(e);
                if (tries == TRIES || error == null || !error.isPassing()) {
                    throw e;
                }
                Thread.sleep(Trouble.backOff(tries, LONGEST_WAIT).toMillis());
            }
        }
    }

    private void acknowledge(ClaimedMessage message, Item<T> item) {
        if (!ack.test(message.claim())) {
            throw new ClaimLostException(item.delivery().id());
        }
    }

    private @Nullable Outcome failed(Run run, ClaimedMessage message, Throwable failure, boolean interrupted) {
        Thread.interrupted(); // the end must be written, whatever stopped the handler
        if (run.wasStopped()) {
            return judge.late(run, message, failure);
        }
        if (interrupted) {
            return judge.giveBack(message, failure);
        }
        DatabaseError error = DatabaseError.of(failure);
        if (error != null && !run.wasCalled()) {
            return judge.notStarted(run, message, failure);
        }
        return error != null && error.isPassing()
                ? judge.passing(run, message, failure)
                : judge.failed(run, message, failure);
    }
}
