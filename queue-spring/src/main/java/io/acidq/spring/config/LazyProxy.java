package io.acidq.spring.config;

import io.acidq.Inbox;
import io.acidq.InboxResult;
import io.acidq.InputChecks;
import io.acidq.Receipts;
import io.acidq.admin.AuditLog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.QueueControl;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.Subscriptions;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * A proxy for a part of an engine, such as {@link DeadLetters}. It can be injected before the engine is built, that is, before all listeners are
 * known. Each call is passed to the engine's own part, and the first one builds the engine.
 *
 * @param type   the interface of the part
 * @param target returns the engine's own part, and builds the engine if necessary
 */
record LazyProxy<T>(Class<T> type, Supplier<T> target) implements InvocationHandler {

    static <T> T of(Class<T> type, Supplier<T> target) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new LazyProxy<>(type, target)));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> type.getSimpleName() + " of the engine";
            };
        }
        try {
            return method.invoke(target.get(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    /**
     * The inbox of an engine that may not be built yet. A proxy would build the engine in {@link #withRetention}, which beans call in their constructors; this
     * class does not.
     *
     * @param target returns the engine's inbox, and builds the engine if necessary
     */
    record LazyInbox(Supplier<Inbox> target) implements Inbox {

        @Override
        public <T extends @Nullable Object, X extends Exception> InboxResult<T> once(
                String consumer, String key, WorkWithResult<T, X> work) throws X {
            return target.get().once(consumer, key, work);
        }

        @Override
        public <M, X extends Exception> List<M> onceAll(
                String consumer, Collection<M> messages, Function<? super M, String> key, BulkWork<? super M, X> work)
                throws X {
            return target.get().onceAll(consumer, messages, key, work);
        }

        @Override
        public Inbox withRetention(Duration retention) {
            InputChecks.checkInboxRetention(retention);
            return new LazyInbox(() -> target.get().withRetention(retention));
        }
    }

    /** Registers the proxied interfaces for a native image. */
    static final class ProxyHints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            for (Class<?> type : List.of(
                    DeadLetters.class,
                    Subscriptions.class,
                    RecurringMessages.class,
                    BlockedKeys.class,
                    QueueControl.class,
                    AuditLog.class,
                    Receipts.class)) {
                hints.proxies().registerJdkProxy(type);
            }
        }
    }
}
