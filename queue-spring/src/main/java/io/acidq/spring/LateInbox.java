package io.acidq.spring;

import io.acidq.Inbox;
import io.acidq.InboxLimits;
import io.acidq.Once;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The inbox of an engine that may not be built yet: a bean of the application may have it injected before all listeners are known.
 *
 * @param inbox the engine's inbox, asked for at each call
 */
record LateInbox(Supplier<Inbox> inbox) implements Inbox {

    @Override
    public <T extends @Nullable Object, X extends Exception> Once<T> once(String consumer, String key, Task<T, X> work)
            throws X {
        return inbox.get().once(consumer, key, work);
    }

    @Override
    public <M, X extends Exception> List<M> onceAll(
            String consumer, Collection<M> messages, Function<? super M, String> key, BulkWork<? super M, X> work)
            throws X {
        return inbox.get().onceAll(consumer, messages, key, work);
    }

    @Override
    public Inbox withWindow(Duration window) {
        InboxLimits.checkWindow(window);
        return new LateInbox(() -> inbox.get().withWindow(window));
    }
}
