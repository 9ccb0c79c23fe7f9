package io.acidq.engine.work;

import io.acidq.BatchHandler.Item;
import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.config.Together;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Calls a batch handler for all messages of a transaction. */
final class InOneCall<T> {

    private final String queue;
    private final Call<T> call;
    private final Acks acks;

    InOneCall(String queue, Call<T> call, Acks acks) {
        this.queue = queue;
        this.call = call;
        this.acks = acks;
    }

    /** Runs them in the transaction on this thread. */
    Map<ClaimedMessage, Fate> run(Run run, List<ClaimedMessage> messages, Together<T> handler) throws Exception {
        Map<ClaimedMessage, Fate> fates = new HashMap<>();
        List<ClaimedMessage> called = new ArrayList<>();
        List<Item<T>> items = new ArrayList<>();
        for (ClaimedMessage message : messages) {
            try {
                items.add(call.item(message));
                called.add(message);
            } catch (UndecodableException e) {
                fates.put(message, Fate.undecodable(message, e));
            } catch (ClaimLostException e) {
                fates.put(message, Fate.lost(message));
            }
        }
        if (!items.isEmpty()) {
            called.forEach(message -> run.passage(message).begins());
            List<Outcome> outcomes = call.all(run, called, handler, items);
            called.forEach(message -> run.passage(message).handled(called.size()));
            end(called, outcomes, fates);
        }
        return fates;
    }

    private void end(List<ClaimedMessage> called, List<Outcome> outcomes, Map<ClaimedMessage, Fate> fates) {
        List<Claim> done = new ArrayList<>();
        for (int i = 0; i < called.size(); i++) {
            ClaimedMessage message = called.get(i);
            Outcome outcome = outcomes.get(i);
            if (outcome == Outcome.done()) {
                done.add(message.claim());
                fates.put(message, Fate.done(message));
            } else {
                fates.put(message, Fate.asked(message, outcome));
            }
        }
        if (!done.isEmpty()
                && !acks.all(done)) { // what was done for the one that was lost can not be told from the rest
            throw new ClaimLostException(RunDelivery.idOf(queue, called.get(0)));
        }
    }
}
