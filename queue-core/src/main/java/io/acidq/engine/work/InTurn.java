package io.acidq.engine.work;

import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls the handler for one message after the other, in a transaction that they share. As long as all goes well without savepoints, and with
 * one acknowledgement for all: what goes wrong then takes the effects of its neighbours along, and they run again, each behind a savepoint, as do
 * the next transactions.
 */
final class InTurn<T> {

    private static final String SAVEPOINT = "acidq_message";

    /** Transactions with savepoints after a setback; a queue in which every tenth message fails has them always. */
    private static final int WARY = 20;

    private final String queue;
    private final Call<T> call;
    private final Transactions transactions;
    private final Acks acks;
    private final AtomicInteger wary = new AtomicInteger();

    InTurn(String queue, Call<T> call, Transactions transactions, Acks acks) {
        this.queue = queue;
        this.call = call;
        this.transactions = transactions;
        this.acks = acks;
    }

    /** Runs and commits them; when it throws, nothing is committed, or it is unknown. */
    Map<ClaimedMessage, Fate> run(Run run, List<ClaimedMessage> messages) throws Exception {
        if (wary.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return transactions.inNew(() -> behindSavepoints(run, messages));
        }
        try {
            return transactions.inNew(() -> allOrNone(run, messages));
        } catch (Setback setback) {
            wary.set(WARY);
            return afterSetback(run, messages, setback.fate);
        }
    }

    private Map<ClaimedMessage, Fate> allOrNone(Run run, List<ClaimedMessage> messages) throws Exception {
        Map<ClaimedMessage, Fate> fates = new HashMap<>();
        for (ClaimedMessage message : messages) {
            Fate fate = handle(run, message);
            if (fate.kind() != Fate.Kind.DONE) {
                throw new Setback(fate);
            }
            fates.put(message, fate);
        }
        List<Claim> done = messages.stream().map(ClaimedMessage::claim).toList();
        if (!acks.all(done)) {
            throw new Setback(Fate.lost(messages.get(0))); // which of them it is, the next round tells
        }
        return fates;
    }

    /** The message that has its fate is not handled again; the others are. */
    private Map<ClaimedMessage, Fate> afterSetback(Run run, List<ClaimedMessage> messages, Fate fate) throws Exception {
        if (fate.kind() == Fate.Kind.LOST) {
            return transactions.inNew(() -> behindSavepoints(run, messages));
        }
        List<ClaimedMessage> others =
                messages.stream().filter(m -> !m.equals(fate.message())).toList();
        Map<ClaimedMessage, Fate> fates = transactions.inNew(() -> behindSavepoints(run, others));
        fates.put(fate.message(), fate);
        return fates;
    }

    private Map<ClaimedMessage, Fate> behindSavepoints(Run run, List<ClaimedMessage> messages) throws Exception {
        Map<ClaimedMessage, Fate> fates = new HashMap<>();
        for (ClaimedMessage message : messages) {
            Transactions.Mark before = transactions.mark(SAVEPOINT);
            Fate fate = handle(run, message);
            if (fate.kind() == Fate.Kind.DONE && !acks.one(message.claim())) {
                fate = Fate.lost(message);
            }
            if (fate.kind() != Fate.Kind.DONE) {
                before.undo();
            }
            fates.put(message, fate);
        }
        return fates;
    }

    private Fate handle(Run run, ClaimedMessage message) throws Exception {
        if (run.isSettled()) {
            throw new ClaimLostException(RunDelivery.idOf(queue, message));
        }
        run.passage(message).begins();
        try {
            Outcome outcome = call.one(run, message, call.item(message));
            return outcome == Outcome.done() ? Fate.done(message) : Fate.asked(message, outcome);
        } catch (UndecodableException e) {
            return Fate.undecodable(message, e);
        } catch (ClaimLostException e) {
            return Fate.lost(message);
        } catch (Throwable e) {
            DatabaseError error = DatabaseError.of(e);
            if (run.wasStopped() || e instanceof InterruptedException || (error != null && error.isPassing())) {
                throw e; // the transaction as a whole is lost, or no fault of the message
            }
            return Fate.failed(message, e);
        } finally {
            run.passage(message).handled(1);
        }
    }

    /** Not an error: takes the transaction back with the fate of the message that does not let it commit. */
    @SuppressWarnings("serial") // never leaves this class
    private static final class Setback extends Exception {

        private final Fate fate;

        Setback(Fate fate) {
            super("a message did not end in done", null, false, false);
            this.fate = fate;
        }
    }
}
