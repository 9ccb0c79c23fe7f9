package io.acidq.mybatis.store;

import io.acidq.admin.Operator;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.NodeStore.RescueDecision;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.List;

/** Runs each {@link MessageOperation} with the store as the engine does; returns whether it won. */
final class StoreOperations {

    private StoreOperations() {}

    /** The transaction of a handler: an effect, then the fence. */
    static boolean ack(RaceSetup raceSetup, Store store, JdbcTransactions transactions) throws Exception {
        try {
            return transactions.inNew(() -> {
                QueueFixture.execute(transactions.connection(), "INSERT INTO effect (uid) VALUES (?)", (Object)
                        QueueFixture.bytes(raceSetup.uid()));
                if (!store.claims().ackIfClaimed(raceSetup.claim())) {
                    throw new ClaimIsLost();
                }
                return true;
            });
        } catch (ClaimIsLost e) {
            return false;
        }
    }

    /** With an ordering key the message stays in its lane and is due at once; without one it is scheduled. */
    static boolean retry(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        Duration delay = raceSetup.isOrdered() ? Duration.ofNanos(1_000) : QueueFixture.HOUR;
        return store.claims().retryIfClaimed(raceSetup.message(), delay, raceSetup.followers());
    }

    static boolean cancel(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        return store.claims().cancelIfClaimed(raceSetup.claim());
    }

    static boolean deadLetter(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        return store.claims().deadLetterIfClaimed(raceSetup.claim(), "boom", raceSetup.followers());
    }

    static boolean requeue(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        int given = store.claims().requeueIfClaimed(List.of(raceSetup.claim()), Duration.ZERO);
        return given == 1;
    }

    /** The crash of the node makes the message a suspect, but not its followers. */
    static boolean rescue(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        raceSetup.scene().declareDead(raceSetup.claim().owner());
        return store
                .nodes()
                .rescue(
                        raceSetup.claim().owner(),
                        orphans -> orphans.claims().stream()
                                .map(o -> new RescueDecision(
                                        o.claim(), o.crashes() + (o.claim().equals(raceSetup.claim()) ? 1 : 0), null))
                                .toList())
                .stream()
                .anyMatch(v -> v.claim().equals(raceSetup.claim()));
    }

    static boolean claim(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        int queue = raceSetup.scene().queue.id();
        return store
                .claims()
                .claimDue(new ClaimRequest(queue, 0, raceSetup.other(), 1, new Budget(1, 1, true), ClaimStrategy.LANES))
                .messages()
                .stream()
                .anyMatch(m -> m.uid().equals(raceSetup.uid()));
    }

    static boolean replay(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        List<Letter> letters = raceSetup.deadLetters();
        return !letters.isEmpty()
                && store.dead().replayIfDead(QueueFixture.ANN, letters).changed() == 1;
    }

    static boolean discard(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        List<Letter> letters = raceSetup.deadLetters();
        return !letters.isEmpty()
                && store.dead().discardIfDead(QueueFixture.ANN, letters).changed() == 1;
    }

    static boolean release(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        List<Letter> letters = raceSetup.deadLetters();
        return !letters.isEmpty()
                && store.dead()
                                .releaseIfHolding(QueueFixture.ANN, letters.get(0))
                                .changed()
                        == 1;
    }

    static boolean prune(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        String queue = raceSetup.scene().queue.name();
        return store.maintenance()
                        .pruneDead(name -> name.equals(queue) ? Duration.ZERO : null, 10)
                        .rows()
                == 1;
    }

    static boolean pause(RaceSetup raceSetup, Store store, JdbcTransactions transactions) {
        return store.queues().pauseIfRunning(raceSetup.scene().queue.id(), new Operator("ann", "test"));
    }

    /** Rolls the handler's transaction back. */
    private static final class ClaimIsLost extends Exception {

        private static final long serialVersionUID = 1L;
    }
}
