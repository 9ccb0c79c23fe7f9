package io.acidq.engine.enqueue;

import io.acidq.Inbox;
import io.acidq.InboxResult;
import io.acidq.InputChecks;
import io.acidq.store.InboxStore;
import io.acidq.store.Transactions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The inbox. All its statements run in the caller's transaction. Thread-safe. */
public final class TransactionalInbox implements Inbox {

    private final InboxStore store;
    private final Transactions transactions;
    private final Duration retention;

    public TransactionalInbox(InboxStore store, Transactions transactions, Duration retention) {
        this.store = store;
        this.transactions = transactions;
        this.retention = retention;
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> InboxResult<T> once(
            String consumer, String key, WorkWithResult<T, X> work) throws X {
        InputChecks.checkConsumer(consumer);
        InputChecks.checkInboxKey(consumer, key);
        Objects.requireNonNull(work, "work");
        requireTransaction(consumer);
        return store.<InboxResult<T>, X>allOrNothing(() -> {
            Instant firstDoneAt =
                    store.takeIfFree(consumer, Set.of(key), retention).get(key);
            return firstDoneAt == null ? InboxResult.<T>ran(work.call()) : InboxResult.<T>duplicate(firstDoneAt);
        });
    }

    @Override
    public <M, X extends Exception> List<M> onceAll(
            String consumer, Collection<M> messages, Function<? super M, String> key, BulkWork<? super M, X> work)
            throws X {
        InputChecks.checkConsumer(consumer);
        Objects.requireNonNull(messages, "messages");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(work, "work");
        Map<String, M> firsts = new LinkedHashMap<>();
        messages.forEach(m -> firsts.putIfAbsent(InputChecks.checkInboxKey(consumer, key.apply(m)), m));
        requireTransaction(consumer);
        if (firsts.isEmpty()) {
            return List.of();
        }
        return store.<List<M>, X>allOrNothing(() -> {
            firsts.keySet()
                    .removeAll(store.takeIfFree(consumer, firsts.keySet(), retention)
                            .keySet());
            List<M> unseen = new ArrayList<>(firsts.values());
            if (!unseen.isEmpty()) {
                work.run(unseen);
            }
            return unseen;
        });
    }

    @Override
    public Inbox withRetention(Duration retention) {
        return new TransactionalInbox(store, transactions, InputChecks.checkInboxRetention(retention));
    }

    private void requireTransaction(String consumer) {
        transactions.requireTransaction(
                "the inbox of consumer '" + consumer + "'",
                "the key is remembered if and only if the effects of the work commit");
    }
}
