package io.acidq.engine.enqueue;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.NoArgGenerator;
import io.acidq.EnqueueOptions;
import io.acidq.EnqueueOptions.ReceiptOptions;
import io.acidq.MessageRejectedException;
import io.acidq.NewMessage;
import io.acidq.codec.Codec;
import io.acidq.codec.Headers;
import io.acidq.codec.UndecodableException;
import io.acidq.config.EngineConfig;
import io.acidq.config.Listener;
import io.acidq.engine.enqueue.MessageKeys.PendingMessage;
import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.MessageRow;
import io.acidq.store.Expiry;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.ReceiptStore;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks and encodes messages before they are inserted: the options with the defaults of their queue, the size of the payload, and whether the listener of the
 * queue in this process can read it. Executes no SQL. Thread-safe.
 */
final class MessageEncoder {

    private static final NoArgGenerator UIDS = Generators.timeBasedEpochGenerator();

    private final Codec codec;
    private final EngineConfig config;
    private final QueueRegistry queues;
    private final Map<String, ListenerType> listenerTypes;

    MessageEncoder(Codec codec, EngineConfig config, QueueRegistry queues, List<Listener<?>> listeners) {
        this.codec = codec;
        this.config = config;
        this.queues = queues;
        this.listenerTypes = codec.checksRoundTrip()
                ? listeners.stream().collect(Collectors.toMap(Listener::queue, ListenerType::new))
                : Map.of();
    }

    /** Encodes a message. Each invalid message is rejected here, before any SQL. */
    EncodedMessage encode(String queue, NewMessage message) {
        if (message.payload() == null) {
            throw new MessageRejectedException("the payload for queue '" + queue
                    + "' is null: a message carries a value, even if it is an empty record");
        }
        EnqueueOptions options = MessageKeys.withQueueDefaults(queue, message.options(), config.queue(queue));
        queues.checkOrderingKey(queue, MessageKeys.orderingKey(options));
        queues.checkPriority(queue, options);
        Codec.Encoded payload = codec.encode(message.payload());
        if (payload.bytes().length > config.maxPayloadBytes()) {
            throw new MessageRejectedException(
                    "a payload of " + payload.bytes().length + " bytes for queue '" + queue
                            + "' exceeds the limit of " + config.maxPayloadBytes()
                            + " bytes: store it elsewhere and enqueue a reference, or raise maxPayloadBytes (acidq.max-payload-size)");
        }
        checkReadable(queue, payload, message.payload().getClass());
        return new EncodedMessage(options, payload, Headers.encode(options.headers()));
    }

    /**
     * Refuses a payload that the listener of the queue in this process cannot read.
     *
     * @param payloadClass the class of the payload; null for one that was encoded earlier
     */
    void checkReadable(String queue, Codec.Encoded payload, @Nullable Class<?> payloadClass) {
        ListenerType listenerType = listenerTypes.get(queue);
        if (listenerType != null) {
            listenerType.checkReadable(codec, payload, payloadClass);
        }
    }

    QueueTimes times(String queue) {
        Duration own = config.queue(queue).deduplicationWindow();
        return new QueueTimes(
                own == null ? config.deduplicationWindow() : own,
                config.queue(queue).expiresAfter());
    }

    /** Returns the uid of a new message. It tells whether the message has a receipt, and whether the receipt keeps the result. */
    static UUID newUid(@Nullable ReceiptOptions receipt) {
        UUID uid = UIDS.generate();
        return receipt == null ? uid : ReceiptStore.uid(uid, receipt.keepsResult());
    }

    /** A message after its checks, before its lane is chosen. */
    record EncodedMessage(EnqueueOptions options, Codec.Encoded payload, String headers) {

        /** Returns whether the message may run at once, regardless of other messages. */
        boolean canBeHandedOff(QueueTimes times) {
            return MessageKeys.orderingKey(options) == null
                    && new Due(options.delay(), options.at()).isNow()
                    && expiry(times).isNever(); // it could expire before its transaction commits
        }

        /** Converts the message. The lane is used if the message has no ordering key. */
        PendingMessage toPendingMessage(QueueRow queue, int index, int lane, QueueTimes times) {
            return toPendingMessage(queue, newUid(options.receiptOptions()), index, lane, times);
        }

        PendingMessage toPendingMessage(QueueRow queue, UUID uid, int index, int lane, QueueTimes times) {
            String orderingKey = MessageKeys.orderingKey(options);
            MessageRow row = new MessageRow(
                    queue.id(),
                    orderingKey == null ? lane : LaneAssignment.ofKey(queue, orderingKey),
                    uid,
                    options.key(),
                    orderingKey,
                    payload.type(),
                    headers,
                    payload.bytes(),
                    new Due(options.delay(), options.at()),
                    expiry(times));
            return new PendingMessage(
                    index,
                    queue,
                    row,
                    MessageKeys.policy(options),
                    times.deduplicationWindow(),
                    options.receiptOptions());
        }

        private Expiry expiry(QueueTimes times) {
            Duration after = options.expiresAfter();
            Instant at = options.expiresAt();
            Duration chosen = after == null && at == null ? times.expiresAfter() : after;
            return chosen == null && at == null ? Expiry.NEVER : new Expiry(chosen, at);
        }
    }

    /**
     * The times of a queue for messages whose options do not give their own.
     *
     * @param deduplicationWindow how long a message key stays taken
     * @param expiresAfter        how long after its due time a message may be started; null for any time
     */
    record QueueTimes(
            Duration deduplicationWindow, @Nullable Duration expiresAfter) {}

    /**
     * The class that this process's listener of a queue takes. The first payload of each run-time class is read as this class; every payload if that is another
     * class, such as a Long for an Integer, because then each value decides whether it can be read.
     */
    private static final class ListenerType {

        private final Listener<?> listener;
        private final Set<Class<?>> readable = ConcurrentHashMap.newKeySet();

        ListenerType(Listener<?> listener) {
            this.listener = listener;
        }

        void checkReadable(Codec codec, Codec.Encoded payload, @Nullable Class<?> runtimeClass) {
            if (runtimeClass != null && readable.contains(runtimeClass) && !codec.checksEveryPayload()) {
                return;
            }
            try {
                codec.decode(payload, listener.payloadType());
            } catch (UndecodableException e) {
                throw new MessageRejectedException(
                        "a payload of type " + (runtimeClass == null ? payload.type() : runtimeClass.getName())
                                + " for queue '" + listener.queue()
                                + "' cannot be read by the queue's listener, which takes "
                                + listener.payloadType().getName() + ": " + e.getMessage(),
                        e);
            }
            if (runtimeClass != null
                    && MethodType.methodType(listener.payloadType())
                            .wrap()
                            .returnType()
                            .isAssignableFrom(runtimeClass)) {
                readable.add(runtimeClass);
            }
        }
    }
}
