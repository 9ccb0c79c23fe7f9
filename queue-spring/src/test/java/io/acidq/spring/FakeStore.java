package io.acidq.spring;

import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.MessageQueue;
import io.acidq.NewMessage;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A queue that remembers what was enqueued, and transactions that say what the test wants. */
final class FakeStore implements MessageQueue, Transactions {

    record Published(String queue, NewMessage message) {}

    final List<Published> published = new ArrayList<>();
    boolean active = true;
    boolean readOnly;

    Store store() {
        return new Store(
                null, this, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    NewMessage only() {
        if (published.size() != 1) {
            throw new AssertionError("published: " + published);
        }
        return published.get(0).message();
    }

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        messages.forEach(m -> published.add(new Published(queue, m)));
        return messages.stream()
                .map(m -> new Enqueued(new MessageId(queue, 0, UUID.randomUUID()), Enqueued.Result.ENQUEUED))
                .toList();
    }

    @Override
    public @Nullable Connection current() {
        return active
                ? (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> null)
                : null;
    }

    @Override
    public Runnable breaker() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public void afterCommit(Runnable hint) {}

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        return work.call();
    }
}
