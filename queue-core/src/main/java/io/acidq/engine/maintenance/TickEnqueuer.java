package io.acidq.engine.maintenance;

import io.acidq.EnqueueOptions;
import io.acidq.Enqueued;
import io.acidq.MessageId;
import io.acidq.NewMessage;
import io.acidq.Published;
import io.acidq.Tick;
import io.acidq.admin.RecurringMessages.TickResult;
import io.acidq.codec.Codec;
import io.acidq.codec.Headers;
import io.acidq.engine.enqueue.TransactionalQueue;
import io.acidq.engine.enqueue.TransactionalQueue.TickMessage;
import io.acidq.engine.interceptor.InterceptorChain;
import io.acidq.store.RecurringStore;
import io.acidq.store.RecurringStore.StoredRecurring;
import io.acidq.store.RecurringStore.TickRow;
import io.acidq.store.Transactions;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues the messages of ticks between the interceptors of the engine, and records the ticks, in the transaction on the calling thread. After its commit it reports
 * them to telemetry. Thread-safe.
 */
public final class TickEnqueuer {

    private final RecurringStore store;
    private final Transactions transactions;
    private final TransactionalQueue queue;
    private final InterceptorChain interceptors;
    private final Codec codec;
    private final Telemetry telemetry;

    public TickEnqueuer(
            RecurringStore store,
            Transactions transactions,
            TransactionalQueue queue,
            InterceptorChain interceptors,
            Codec codec,
            Telemetry telemetry) {
        this.store = store;
        this.transactions = transactions;
        this.queue = queue;
        this.interceptors = interceptors;
        this.codec = codec;
        this.telemetry = telemetry;
    }

    /** Enqueues the messages of those ticks that have one, and records all of them. */
    public void write(List<DueTick> ticks) {
        if (ticks.isEmpty()) {
            return;
        }
        Map<String, List<DueTick>> byQueue = new LinkedHashMap<>();
        for (DueTick tick : ticks) {
            if (!tick.hasMessage()) {
                continue;
            }
            if (tick.row.toTopic()) {
                publish(tick);
            } else {
                byQueue.computeIfAbsent(tick.row.destination(), name -> new ArrayList<>())
                        .add(tick);
            }
        }
        byQueue.forEach(this::enqueue);
        store.insertTicks(ticks.stream().map(DueTick::toRow).toList());
        List<Event> events = ticks.stream().map(DueTick::toEvent).toList(); // holds no payload until the commit
        transactions.afterCommit(() -> events.forEach(event -> telemetry.ticked(event.tick, event.result, event.late)));
    }

    private void enqueue(String name, List<DueTick> ticks) {
        List<Enqueued> results = interceptors.aroundEnqueue(
                name,
                ticks.stream().map(DueTick::toMessage).toList(),
                transactions,
                messages -> queue.enqueueTicks(
                        name, messages.stream().map(this::encoded).toList()),
                enqueued -> enqueued);
        for (int i = 0; i < ticks.size(); i++) {
            ticks.get(i).id = results.get(i).id();
        }
    }

    private void publish(DueTick tick) {
        String topic = tick.row.destination();
        Published published = interceptors.aroundEnqueue(
                topic,
                List.of(tick.toMessage()),
                transactions,
                messages -> queue.publishTick(topic, encoded(messages.get(0))),
                TickEnqueuer::results);
        if (published.isEmpty()) {
            tick.result = TickResult.UNSUBSCRIBED;
        }
    }

    private static List<Enqueued> results(Published published) {
        return List.copyOf(published.subscriptions().values());
    }

    private TickMessage encoded(NewMessage message) {
        return new TickMessage(
                message.options(),
                message.payload() instanceof Codec.Encoded encoded ? encoded : codec.encode(message.payload()));
    }

    /** A tick that is due, or that an operator has triggered. Used by one thread. */
    public static final class DueTick {

        private final StoredRecurring row;
        private final Instant at;
        private final boolean triggered;
        private final int missed;
        private TickResult result;
        private @Nullable MessageId id;

        public DueTick(StoredRecurring row, Instant at, TickResult result, int missed) {
            this.row = row;
            this.at = at;
            this.result = result;
            this.triggered = result == TickResult.TRIGGERED;
            this.missed = missed;
        }

        /** Returns the message of the tick after it was written; null for none, and for one that was published to a topic. */
        public @Nullable MessageId id() {
            return id;
        }

        /** Returns whether its message was stored. Before it was written: whether it has one. */
        public boolean hasMessage() {
            return result == TickResult.ENQUEUED || result == TickResult.TRIGGERED;
        }

        private Tick tick() {
            return new Tick(row.name(), at, missed);
        }

        /** The message as interceptors see it: a payload that was encoded when the recurring message was put is not decoded for them. */
        private NewMessage toMessage() {
            Tick tick = tick();
            EnqueueOptions options = EnqueueOptions.options().headers(tick.headers(Headers.decode(row.headers())));
            Long ttlMicros = row.ttlMicros();
            if (ttlMicros != null) {
                options = options.expiresAfter(Duration.of(ttlMicros, ChronoUnit.MICROS));
            }
            return new NewMessage(
                    row.type().isEmpty() ? tick : new Codec.Encoded(row.type(), row.payload()),
                    row.orderingKey().isEmpty() ? options : options.orderingKey(row.orderingKey()));
        }

        private TickRow toRow() {
            return new TickRow(row.name(), at, result, missed, id == null ? null : id.uid());
        }

        private Event toEvent() {
            Duration late = Duration.between(triggered ? at : at.plus(row.spread()), row.now());
            return new Event(tick(), result, late.isNegative() ? Duration.ZERO : late);
        }
    }

    private record Event(Tick tick, TickResult result, Duration late) {}
}
