package io.acidq.engine.work;

import io.acidq.Outcome;
import io.acidq.config.Listener;
import io.acidq.config.Mode;
import io.acidq.config.Together;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs what a worker has taken up. Several messages share one transaction; when that is lost as a whole, each of them is run again in one of
 * its own.
 */
final class BatchExecutor<T> {

    private final Listener<T> listener;
    private final Transactions transactions;
    private final Executor<T> alone;
    private final InTurn<T> inTurn;
    private final InOneCall<T> inOneCall;
    private final Judge judge;
    private final Apart apart = new Apart();

    BatchExecutor(Listener<T> listener, Call<T> call, Transactions transactions, Acks acks, Judge judge) {
        this.listener = listener;
        this.transactions = transactions;
        this.alone = new Executor<>(listener, call, transactions, acks::one, judge);
        this.inTurn = new InTurn<>(listener.queue(), call, transactions, acks);
        this.inOneCall = new InOneCall<>(listener.queue(), call, acks);
        this.judge = judge;
    }

    /**
     * Runs them and writes what each ended in.
     *
     * @param interrupting whether the engine interrupts handlers to stop
     * @return an outcome for each; null for those that were given back, or were not this node's any more
     */
    List<@Nullable Outcome> run(Run run, BooleanSupplier interrupting) {
        List<ClaimedMessage> messages = run.messages();
        if (messages.size() == 1 || apart.holdsAnyOf(messages)) {
            return each(run, messages, null, interrupting);
        }
        Map<ClaimedMessage, Fate> fates;
        try {
            fates = together(run, messages);
        } catch (Throwable e) { // all of it is rolled back, or it is unknown: the fence tells
            Thread.interrupted();
            judge.oneByOne(messages.size(), e);
            return each(run, messages, e, interrupting);
        }
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        messages.forEach(message -> outcomes.add(end(run, Objects.requireNonNull(fates.get(message)))));
        return outcomes;
    }

    /**
     * Each in a transaction of its own.
     *
     * @param lost why the transaction of all was lost; null when there was none
     */
    private List<@Nullable Outcome> each(
            Run run, List<ClaimedMessage> messages, @Nullable Throwable lost, BooleanSupplier interrupting) {
        ClaimedMessage late = lost == null ? null : run.late();
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        for (ClaimedMessage message : messages) {
            if (run.isSettled()) { // given up meanwhile: nothing of it is this thread's any more
                outcomes.add(null);
            } else if (message.equals(late)) {
                outcomes.add(judge.late(run, message, lost));
            } else if (lost != null && interrupting.getAsBoolean()) {
                outcomes.add(judge.giveBack(message, lost));
            } else {
                outcomes.add(alone(run, message, interrupting));
            }
        }
        return outcomes;
    }

    private @Nullable Outcome alone(Run run, ClaimedMessage message, BooleanSupplier interrupting) {
        Outcome outcome = alone.run(run, message, interrupting);
        if (outcome == Outcome.done()) {
            apart.forget(message);
        }
        return outcome;
    }

    /** A worker begins; what runs outside of transactions keeps no connection meanwhile. */
    Transactions.Stay stay() {
        return listener.options().mode() == Mode.EXTERNAL ? Transactions.Stay.NONE : transactions.stay();
    }

    /** A call for all of these did not come back: one of them is to blame, and from now on each runs alone here. */
    void separate(List<ClaimedMessage> messages) {
        apart.add(messages);
    }

    private Map<ClaimedMessage, Fate> together(Run run, List<ClaimedMessage> messages) throws Exception {
        return listener.handler() instanceof Together<T> handler
                ? transactions.inNew(() -> inOneCall.run(run, messages, handler))
                : inTurn.run(run, messages);
    }

    private @Nullable Outcome end(Run run, Fate fate) {
        return switch (fate.kind()) {
            case DONE -> {
                run.passage(fate.message()).succeeded();
                yield Outcome.done();
            }
            case LOST -> judge.lost(fate.message());
            case ASKED -> judge.asked(run, fate.message(), fate.outcome());
            case UNDECODABLE -> judge.undecodable(fate.message(), fate.failure());
            case FAILED -> judge.failed(run, fate.message(), fate.failure());
        };
    }
}
