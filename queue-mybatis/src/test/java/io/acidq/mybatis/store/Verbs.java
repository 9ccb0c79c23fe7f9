package io.acidq.mybatis.store;

import io.acidq.mybatis.JdbcTransactions;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.DeadLetterStore.Deed;
import io.acidq.store.DeadLetterStore.Letter;
import io.acidq.store.NodeStore.Verdict;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.List;

/** Each {@link Verb} by the store's port, as the engine does it; true when it won. */
final class Verbs {

    private static final Deed ANN = new Deed("ann", "test", null);

    private Verbs() {}

    /** The handler's transaction: an effect, then the fence. */
    static boolean ack(Subject subject, Store store, JdbcTransactions transactions) throws Exception {
        try {
            return transactions.inNew(() -> {
                Scene.execute(transactions.connection(), "INSERT INTO effect (uid) VALUES (?)", (Object)
                        Scene.bytes(subject.uid()));
                if (!store.claims().ackIfClaimed(subject.claim())) {
                    throw new ClaimIsLost();
                }
                return true;
            });
        } catch (ClaimIsLost e) {
            return false;
        }
    }

    /** With an ordering key it stays, and is due again at once; without one it waits elsewhere. */
    static boolean retry(Subject subject, Store store, JdbcTransactions transactions) {
        Duration delay = subject.isOrdered() ? Duration.ofNanos(1_000) : Scene.HOUR;
        return store.claims().retryIfClaimed(subject.message(), delay, subject.followers());
    }

    static boolean cancel(Subject subject, Store store, JdbcTransactions transactions) {
        return store.claims().cancelIfClaimed(subject.claim());
    }

    static boolean bury(Subject subject, Store store, JdbcTransactions transactions) {
        return store.claims().deadIfClaimed(subject.claim(), "boom", subject.followers());
    }

    static boolean giveBack(Subject subject, Store store, JdbcTransactions transactions) {
        int given = store.claims().giveBackIfClaimed(List.of(subject.claim()), Duration.ZERO);
        return given == 1;
    }

    /** By the node's death the message is suspect, its followers are not. */
    static boolean rescue(Subject subject, Store store, JdbcTransactions transactions) {
        subject.scene().bury(subject.claim().owner());
        return store
                .nodes()
                .rescue(
                        subject.claim().owner(),
                        orphans -> orphans.claims().stream()
                                .map(o -> new Verdict(
                                        o.claim(), o.deaths() + (o.claim().equals(subject.claim()) ? 1 : 0), null))
                                .toList())
                .stream()
                .anyMatch(v -> v.claim().equals(subject.claim()));
    }

    static boolean claim(Subject subject, Store store, JdbcTransactions transactions) {
        int queue = subject.scene().queue.id();
        return store
                .claims()
                .claimDue(new ClaimRequest(queue, 0, subject.other(), 1, new Budget(1, 1, true), ClaimStrategy.LANES))
                .messages()
                .stream()
                .anyMatch(m -> m.uid().equals(subject.uid()));
    }

    static boolean replay(Subject subject, Store store, JdbcTransactions transactions) {
        List<Letter> letters = subject.letters();
        return !letters.isEmpty() && store.dead().replayIfDead(ANN, letters).changed() == 1;
    }

    static boolean discard(Subject subject, Store store, JdbcTransactions transactions) {
        List<Letter> letters = subject.letters();
        return !letters.isEmpty() && store.dead().discardIfDead(ANN, letters).changed() == 1;
    }

    static boolean release(Subject subject, Store store, JdbcTransactions transactions) {
        List<Letter> letters = subject.letters();
        return !letters.isEmpty()
                && store.dead().releaseIfHolding(ANN, letters.get(0)).changed() == 1;
    }

    static boolean prune(Subject subject, Store store, JdbcTransactions transactions) {
        String queue = subject.scene().queue.name();
        return store.maintenance()
                        .pruneDead(name -> name.equals(queue) ? Duration.ZERO : null, 10)
                        .rows()
                == 1;
    }

    static boolean pause(Subject subject, Store store, JdbcTransactions transactions) {
        return store.queues().pauseIfRunning(subject.scene().queue.id(), "ann", "test");
    }

    /** Rolls the handler's transaction back. */
    private static final class ClaimIsLost extends Exception {

        private static final long serialVersionUID = 1L;
    }
}
