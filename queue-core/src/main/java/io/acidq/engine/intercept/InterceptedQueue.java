package io.acidq.engine.intercept;

import io.acidq.Enqueued;
import io.acidq.Interceptor.Enqueueing;
import io.acidq.MessageQueue;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.QueueNames;
import io.acidq.codec.Headers;
import io.acidq.store.Transactions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A queue between the beginning and the end of its interceptors. */
final class InterceptedQueue implements MessageQueue {

    private final MessageQueue queue;
    private final Transactions transactions;
    private final List<Guarded> interceptors;

    InterceptedQueue(MessageQueue queue, Transactions transactions, List<Guarded> interceptors) {
        this.queue = queue;
        this.transactions = transactions;
        this.interceptors = interceptors;
    }

    @Override
    public List<Enqueued> enqueueAll(String name, List<NewMessage> messages) {
        QueueNames.check(name);
        if (messages == null || messages.isEmpty() || messages.stream().anyMatch(Objects::isNull)) {
            return queue.enqueueAll(name, messages); // nothing to do, or refused
        }
        Scopes<Enqueueing> scopes = Scopes.begin(interceptors, i -> i.enqueueing(name, messages));
        if (scopes.isEmpty()) {
            return queue.enqueueAll(name, messages);
        }
        List<Enqueued> results;
        try {
            results = queue.enqueueAll(name, withHeaders(messages, scopes));
        } catch (Throwable e) {
            scopes.end(s -> s.failed(e));
            throw e;
        }
        scopes.end(s -> s.ended(results));
        transactions.afterCommit(() -> scopes.each(Enqueueing::committed));
        return results;
    }

    private static List<NewMessage> withHeaders(List<NewMessage> messages, Scopes<Enqueueing> scopes) {
        Map<String, String> headers = new LinkedHashMap<>();
        scopes.each(s -> headers.putAll(s.headers()));
        return headers.isEmpty()
                ? messages
                : messages.stream().map(m -> withHeaders(m, headers)).toList();
    }

    /** As it was when it has no room for them: an interceptor is no reason to refuse a message. */
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
