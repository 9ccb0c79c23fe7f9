package io.acidq.spring.publish;

import io.acidq.EnqueueOptions;
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
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** A queue that records the enqueued messages, and transactions with a settable state. */
public final class FakeStore implements MessageQueue, Transactions {

    record Published(String queue, NewMessage message) {}

    final List<Published> published = new ArrayList<>();
    int bulks;
    boolean active = true;
    boolean readOnly;

    public Store store() {
        return new Store(this, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /** Starts an application that publishes to this store. */
    void refresh(AnnotationConfigApplicationContext context, Class<?>... beans) {
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("shop.queue", "orders", "shop.delay", "3d")));
        context.registerBean(MessageQueue.class, () -> this);
        context.registerBean(Store.class, this::store);
        context.register(PublishConfiguration.class);
        for (Class<?> bean : beans) {
            context.register(bean);
        }
        context.refresh();
    }

    List<Object> payloads() {
        return published.stream().map(p -> p.message().payload()).toList();
    }

    List<String> queues() {
        return published.stream().map(Published::queue).toList();
    }

    List<@Nullable String> keys() {
        return published.stream()
                .<@Nullable String>map(p -> p.message().options().key())
                .toList();
    }

    NewMessage only() {
        if (published.size() != 1) {
            throw new AssertionError("published: " + published);
        }
        return published.get(0).message();
    }

    @Override
    public List<Enqueued> enqueueAll(String queue, List<NewMessage> messages) {
        bulks++;
        messages.forEach(m -> published.add(new Published(queue, m)));
        return messages.stream()
                .map(m -> new Enqueued(new MessageId(queue, 0, UUID.randomUUID()), Enqueued.Result.ENQUEUED))
                .toList();
    }

    /** Records the topic like a queue. */
    @Override
    public io.acidq.Published publish(String topic, Object payload, EnqueueOptions options) {
        Enqueued enqueued =
                enqueueAll(topic, List.of(new NewMessage(payload, options))).get(0);
        return new io.acidq.Published(topic, Map.of("all", enqueued));
    }

    @Override
    public @Nullable Connection current() {
        return active
                ? (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> null)
                : null;
    }

    @Override
    public Runnable connectionAborter() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public void afterCommit(Runnable callback) {}

    @Override
    public <T> T inNew(Callable<T> work) throws Exception {
        return work.call();
    }
}
