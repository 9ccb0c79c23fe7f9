package io.acidq.engine.work;

import io.acidq.BatchHandler.Item;
import io.acidq.Outcome;
import io.acidq.codec.UndecodableException;
import io.acidq.config.Listener;
import io.acidq.config.Together;
import io.acidq.store.Claim;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.store.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs what a worker has taken up. Several messages share one transaction, each behind a savepoint, so that a failing one takes back its
 * own effects only. When the transaction as a whole is lost, each of them is run again in one of its own.
 */
final class BatchExecutor<T> {

    private static final String SAVEPOINT = "acidq_message";

    private final Listener<T> listener;
    private final Call<T> call;
    private final Transactions transactions;
    private final Predicate<Claim> ack;
    private final Executor<T> alone;
    private final Judge judge;
    private final Apart apart = new Apart();

    BatchExecutor(Listener<T> listener, Call<T> call, Transactions transactions, Predicate<Claim> ack, Judge judge) {
        this.listener = listener;
        this.call = call;
        this.transactions = transactions;
        this.ack = ack;
        this.alone = new Executor<>(listener, call, transactions, ack, judge);
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
        Map<ClaimedMessage, Step> steps;
        try {
            steps = transactions.inNew(() -> together(run, messages));
        } catch (Throwable e) { // all of it is rolled back, or it is unknown: the fence tells
            Thread.interrupted();
            judge.oneByOne(messages.size(), e);
            return each(run, messages, e, interrupting);
        }
        List<@Nullable Outcome> outcomes = new ArrayList<>();
        messages.forEach(message -> outcomes.add(end(run, Objects.requireNonNull(steps.get(message)))));
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

    /** A call for all of these did not come back: one of them is to blame, and from now on each runs alone here. */
    void separate(List<ClaimedMessage> messages) {
        apart.add(messages);
    }

    private Map<ClaimedMessage, Step> together(Run run, List<ClaimedMessage> messages) throws Exception {
        return listener.handler() instanceof Together<T> batch
                ? inOneCall(run, messages, batch)
                : inTurn(run, messages);
    }

    private Map<ClaimedMessage, Step> inTurn(Run run, List<ClaimedMessage> messages) throws Exception {
        Map<ClaimedMessage, Step> steps = new HashMap<>();
        for (ClaimedMessage message : messages) {
            if (run.isSettled()) {
                throw new ClaimLostException(RunDelivery.idOf(listener.queue(), message));
            }
            Transactions.Mark before = transactions.mark(SAVEPOINT);
            run.passage(message).begins();
            Step step = handle(run, message);
            run.passage(message).handled(1);
            if (step.kind != Kind.DONE) {
                before.undo();
            }
            steps.put(message, step);
        }
        return steps;
    }

    private Step handle(Run run, ClaimedMessage message) throws Exception {
        try {
            Outcome outcome = call.one(run, message, call.item(message));
            return outcome == Outcome.done() ? acknowledged(message) : new Step(message, Kind.ASKED, outcome, null);
        } catch (UndecodableException e) {
            return new Step(message, Kind.UNDECODABLE, null, e);
        } catch (ClaimLostException e) {
            return new Step(message, Kind.LOST, null, null);
        } catch (Throwable e) {
            DatabaseError error = DatabaseError.of(e);
            if (run.wasStopped() || e instanceof InterruptedException || (error != null && error.isPassing())) {
                throw e; // the transaction as a whole is lost, or no fault of the message
            }
            return new Step(message, Kind.FAILED, null, e);
        }
    }

    private Map<ClaimedMessage, Step> inOneCall(Run run, List<ClaimedMessage> messages, Together<T> batch)
            throws Exception {
        Map<ClaimedMessage, Step> steps = new HashMap<>();
        List<ClaimedMessage> called = new ArrayList<>();
        List<Item<T>> items = new ArrayList<>();
        for (ClaimedMessage message : messages) {
            try {
                items.add(call.item(message));
                called.add(message);
            } catch (UndecodableException e) {
                steps.put(message, new Step(message, Kind.UNDECODABLE, null, e));
            } catch (ClaimLostException e) {
                steps.put(message, new Step(message, Kind.LOST, null, null));
            }
        }
        if (items.isEmpty()) {
            return steps;
        }
        called.forEach(message -> run.passage(message).begins());
        List<Outcome> outcomes = call.all(run, called, batch, items);
        called.forEach(message -> run.passage(message).handled(called.size()));
        for (int i = 0; i < called.size(); i++) {
            ClaimedMessage message = called.get(i);
            Outcome outcome = outcomes.get(i);
            Step step =
                    outcome == Outcome.done() ? acknowledged(message) : new Step(message, Kind.ASKED, outcome, null);
            if (step.kind == Kind.LOST) { // what was done for it can not be told from the rest
                throw new ClaimLostException(RunDelivery.idOf(listener.queue(), message));
            }
            steps.put(message, step);
        }
        return steps;
    }

    private Step acknowledged(ClaimedMessage message) {
        boolean held = ack.test(message.claim());
        return new Step(message, held ? Kind.DONE : Kind.LOST, null, null);
    }

    private @Nullable Outcome end(Run run, Step step) {
        return switch (step.kind) {
            case DONE -> {
                run.passage(step.message).succeeded();
                yield Outcome.done();
            }
            case LOST -> judge.lost(step.message);
            case ASKED -> judge.asked(run, step.message, step.outcome());
            case UNDECODABLE -> judge.undecodable(step.message, step.failure());
            case FAILED -> judge.failed(run, step.message, step.failure());
        };
    }

    /** How a message fared inside the common transaction. */
    private enum Kind {
        DONE,
        ASKED,
        UNDECODABLE,
        FAILED,
        LOST
    }

    private record Step(
            ClaimedMessage message,
            Kind kind,
            @Nullable Outcome asked,
            @Nullable Throwable thrown) {

        Outcome outcome() {
            return Objects.requireNonNull(asked);
        }

        Throwable failure() {
            return Objects.requireNonNull(thrown);
        }
    }
}
