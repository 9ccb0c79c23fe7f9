package io.acidq.engine.interceptor;

import io.acidq.Delivery;
import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.InputChecks;
import io.acidq.Interceptor;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.Published;
import io.acidq.codec.Headers;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls the interceptors of an engine around enqueues and handlers: before in the order of their registration, after in the reverse order. It catches what they
 * throw. Thread-safe.
 */
public final class InterceptorChain {

    private final List<Link> links;
    private final HandlingScopes noScopes = new HandlingScopes(List.of());

    public InterceptorChain(List<Interceptor> interceptors, Telemetry telemetry) {
        this.links = interceptors.stream()
                .map(i -> new Link(i, telemetry, new AtomicBoolean()))
                .toList();
    }

    /** Returns a queue that calls the interceptors around each enqueue. */
    public MessageQueue intercept(MessageQueue queue, Transactions transactions) {
        return links.isEmpty() ? queue : new InterceptedQueue(queue, transactions, this);
    }

    /** Returns whether there are no interceptors. */
    public boolean isEmpty() {
        return links.isEmpty();
    }

    /**
     * Calls the interceptors around an enqueue of messages to a queue, or a publish to a topic.
     *
     * @param call    enqueues the messages, which have the headers of the interceptors
     * @param results the results in what the call returns
     */
    public <T> T aroundEnqueue(
            String destination,
            List<NewMessage> messages,
            Transactions transactions,
            Function<List<NewMessage>, T> call,
            Function<T, List<Enqueued>> results) {
        List<OpenScope<Interceptor.Enqueueing>> scopes = openScopes(links, i -> i.enqueueing(destination, messages));
        if (scopes.isEmpty()) {
            return call.apply(messages);
        }
        T result;
        try {
            result = call.apply(withHeaders(messages, scopes));
        } catch (Throwable e) {
            closeScopes(scopes, enqueueing -> enqueueing.failed(e));
            throw e;
        }
        List<Enqueued> enqueued = results.apply(result);
        closeScopes(scopes, enqueueing -> enqueueing.ended(enqueued));
        transactions.afterCommit(() -> scopes.forEach(s -> s.notifyInterceptor(Interceptor.Enqueueing::committed)));
        return result;
    }

    private static List<NewMessage> withHeaders(
            List<NewMessage> messages, List<OpenScope<Interceptor.Enqueueing>> scopes) {
        Map<String, String> headers = new LinkedHashMap<>();
        scopes.forEach(s -> s.notifyInterceptor(enqueueing -> headers.putAll(enqueueing.headers())));
        return headers.isEmpty()
                ? messages
                : messages.stream().map(m -> withHeaders(m, headers)).toList();
    }

    /** Adds the headers. If they do not fit, returns the message unchanged: an interceptor must not make an enqueue fail. */
    private static NewMessage withHeaders(NewMessage message, Map<String, String> headers) {
        try {
            NewMessage result = message;
            for (Map.Entry<String, String> header : headers.entrySet()) {
                result = new NewMessage(result.payload(), result.options().header(header.getKey(), header.getValue()));
            }
            Headers.encode(result.options().headers()); // checks their size
            return result;
        } catch (MessageRejectedException e) {
            return message;
        }
    }

    /** Calls the interceptors before a handler. The caller must call exactly one method of the result after the handler. */
    public HandlingScopes handling(List<Delivery> deliveries) {
        return links.isEmpty() ? noScopes : new HandlingScopes(openScopes(links, i -> i.handling(deliveries)));
    }

    /** The open scopes of the interceptors around one call of a handler. Used by one thread at a time. */
    public static final class HandlingScopes {

        private final List<OpenScope<Interceptor.Handling>> scopes;

        private HandlingScopes(List<OpenScope<Interceptor.Handling>> scopes) {
            this.scopes = scopes;
        }

        /** The handler returned. */
        public void ended(List<Outcome> outcomes) {
            closeScopes(scopes, handling -> handling.ended(outcomes));
        }

        /** The handler threw. */
        public void failed(Throwable thrown) {
            closeScopes(scopes, handling -> handling.failed(thrown));
        }
    }

    private static <S> List<OpenScope<S>> openScopes(List<Link> links, Function<Interceptor, @Nullable S> open) {
        List<OpenScope<S>> scopes = new ArrayList<>(links.size());
        for (Link link : links) {
            try {
                S scope = open.apply(link.interceptor);
                if (scope != null) {
                    scopes.add(new OpenScope<>(link, scope));
                }
            } catch (Throwable e) { // also an Error: the message must not fail because of it
                link.reportFailure(e);
            }
        }
        return scopes;
    }

    private static <S> void closeScopes(List<OpenScope<S>> scopes, Consumer<S> event) {
        for (int i = scopes.size() - 1; i >= 0; i--) {
            scopes.get(i).notifyInterceptor(event);
        }
    }

    /** An interceptor of the chain, and whether a failure of it was reported. */
    private record Link(Interceptor interceptor, Telemetry telemetry, AtomicBoolean failureReported) {

        /** Reports the first failure only, because an interceptor is called for every message. */
        void reportFailure(Throwable e) {
            if (!failureReported.getAndSet(true)) {
                telemetry.taskFailed("interceptor " + interceptor.getClass().getName(), e);
            }
        }
    }

    /**
     * The open scope of one interceptor.
     *
     * @param scope the callback that the interceptor returned
     */
    private record OpenScope<S>(Link link, S scope) {

        void notifyInterceptor(Consumer<S> event) {
            try {
                event.accept(scope);
            } catch (Throwable e) {
                link.reportFailure(e);
            }
        }
    }

    /** A queue that calls the interceptors around each enqueue. */
    private record InterceptedQueue(MessageQueue queue, Transactions transactions, InterceptorChain chain)
            implements MessageQueue {

        @Override
        public List<Enqueued> enqueueAll(String name, List<NewMessage> messages) {
            InputChecks.checkQueue(name);
            return messages == null || messages.isEmpty() || messages.stream().anyMatch(Objects::isNull)
                    ? queue.enqueueAll(name, messages) // no message, or one that the queue refuses
                    : chain.aroundEnqueue(
                            name, messages, transactions, all -> queue.enqueueAll(name, all), results -> results);
        }

        @Override
        public Published publish(String topic, Object payload, EnqueueOptions options) {
            InputChecks.checkTopic(topic);
            return chain.aroundEnqueue(
                    topic,
                    List.of(new NewMessage(payload, options)),
                    transactions,
                    one -> queue.publish(topic, one.get(0).payload(), one.get(0).options()),
                    published -> List.copyOf(published.subscriptions().values()));
        }

        @Override
        public WithdrawResult withdraw(String name, String key) {
            return queue.withdraw(name, key);
        }

        @Override
        public RescheduleResult reschedule(String name, String key, Duration delay) {
            return queue.reschedule(name, key, delay);
        }

        @Override
        public RescheduleResult reschedule(String name, String key, Instant at) {
            return queue.reschedule(name, key, at);
        }
    }
}
