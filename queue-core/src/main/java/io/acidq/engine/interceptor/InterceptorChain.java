package io.acidq.engine.interceptor;

import io.acidq.Delivery;
import io.acidq.Enqueued;
import io.acidq.Interceptor;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.Outcome;
import io.acidq.QueueNames;
import io.acidq.codec.Headers;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
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
 * The interceptors of an engine, called around enqueues and handlers so that what they throw changes nothing. They begin in the order of
 * their registration and end in the reverse of it. Thread-safe.
 */
public final class InterceptorChain {

    private final List<Link> links;
    private final HandlingScopes noScopes = new HandlingScopes(List.of());

    public InterceptorChain(List<Interceptor> interceptors, Telemetry telemetry) {
        this.links = interceptors.stream().map(one -> new Link(one, telemetry)).toList();
    }

    /** The queue with the interceptors around each enqueue. */
    public MessageQueue intercept(MessageQueue queue, Transactions transactions) {
        return links.isEmpty() ? queue : new InterceptedQueue(queue, transactions, links);
    }

    /** Begins the interceptors around one call of a handler; exactly one method of what this returns is to be called after it. */
    public HandlingScopes handling(List<Delivery> deliveries) {
        return links.isEmpty() ? noScopes : new HandlingScopes(openScopes(links, i -> i.handling(deliveries)));
    }

    /** The interceptors that have begun around one call of a handler. Confined to a thread at a time. */
    public static final class HandlingScopes {

        private final List<OpenScope<Interceptor.Handling>> begun;

        private HandlingScopes(List<OpenScope<Interceptor.Handling>> begun) {
            this.begun = begun;
        }

        /** The handler returned. */
        public void ended(List<Outcome> outcomes) {
            closeScopes(begun, handling -> handling.ended(outcomes));
        }

        /** The handler threw. */
        public void failed(Throwable thrown) {
            closeScopes(begun, handling -> handling.failed(thrown));
        }
    }

    private static <S> List<OpenScope<S>> openScopes(List<Link> links, Function<Interceptor, @Nullable S> how) {
        List<OpenScope<S>> begun = new ArrayList<>(links.size());
        for (Link link : links) {
            try {
                S scope = how.apply(link.interceptor);
                if (scope != null) {
                    begun.add(new OpenScope<>(link, scope));
                }
            } catch (Throwable e) { // an Error too: the message is not to blame
                link.reportFailure(e);
            }
        }
        return begun;
    }

    private static <S> void closeScopes(List<OpenScope<S>> begun, Consumer<S> how) {
        for (int i = begun.size() - 1; i >= 0; i--) {
            begun.get(i).notifyInterceptor(how);
        }
    }

    /** One interceptor, whose exceptions end here. */
    private static final class Link {

        private final Interceptor interceptor;
        private final Telemetry telemetry;
        private final AtomicBoolean failureReported = new AtomicBoolean();

        Link(Interceptor interceptor, Telemetry telemetry) {
            this.interceptor = interceptor;
            this.telemetry = telemetry;
        }

        /** Reported once: it is called for every message. */
        void reportFailure(Throwable e) {
            if (!failureReported.getAndSet(true)) {
                telemetry.taskFailed("interceptor " + interceptor.getClass().getName(), e);
            }
        }
    }

    /**
     * What one interceptor has begun around one call.
     *
     * @param scope what hears of the end
     */
    private record OpenScope<S>(Link link, S scope) {

        void notifyInterceptor(Consumer<S> how) {
            try {
                how.accept(scope);
            } catch (Throwable e) {
                link.reportFailure(e);
            }
        }
    }

    /** A queue between the beginning and the end of its interceptors. */
    private record InterceptedQueue(MessageQueue queue, Transactions transactions, List<Link> links)
            implements MessageQueue {

        @Override
        public List<Enqueued> enqueueAll(String name, List<NewMessage> messages) {
            QueueNames.check(name);
            if (messages == null || messages.isEmpty() || messages.stream().anyMatch(Objects::isNull)) {
                return queue.enqueueAll(name, messages); // nothing to do, or refused
            }
            List<OpenScope<Interceptor.Enqueueing>> begun = openScopes(links, i -> i.enqueueing(name, messages));
            if (begun.isEmpty()) {
                return queue.enqueueAll(name, messages);
            }
            List<Enqueued> results;
            try {
                results = queue.enqueueAll(name, withHeaders(messages, begun));
            } catch (Throwable e) {
                closeScopes(begun, enqueueing -> enqueueing.failed(e));
                throw e;
            }
            closeScopes(begun, enqueueing -> enqueueing.ended(results));
            transactions.afterCommit(
                    () -> begun.forEach(one -> one.notifyInterceptor(Interceptor.Enqueueing::committed)));
            return results;
        }

        private static List<NewMessage> withHeaders(
                List<NewMessage> messages, List<OpenScope<Interceptor.Enqueueing>> begun) {
            Map<String, String> headers = new LinkedHashMap<>();
            begun.forEach(one -> one.notifyInterceptor(enqueueing -> headers.putAll(enqueueing.headers())));
            return headers.isEmpty()
                    ? messages
                    : messages.stream().map(m -> withHeaders(m, headers)).toList();
        }

        /** Unchanged when it has no room for them: an interceptor is no reason to refuse a message. */
        private static NewMessage withHeaders(NewMessage message, Map<String, String> headers) {
            try {
                NewMessage more = message;
                for (Map.Entry<String, String> header : headers.entrySet()) {
                    more = new NewMessage(more.payload(), more.options().header(header.getKey(), header.getValue()));
                }
                Headers.encode(more.options().headers());
                return more;
            } catch (MessageRejectedException e) {
                return message;
            }
        }
    }
}
