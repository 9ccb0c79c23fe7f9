package io.acidq;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options for enqueueing one message. Immutable. Begin with {@link #options()} and add what the message needs:
 *
 * <pre>{@code
 * queue.enqueue("orders", order, options()
 *         .key("order-" + order.id())
 *         .orderingKey(order.customer())
 *         .delay(Duration.ofMinutes(5)));
 * }</pre>
 *
 * @param key         the message key: while its deduplication window lasts, a second message of the queue with an equal key is a
 *                    duplicate; 1 to 255 bytes of UTF-8, compared byte by byte; null for none
 * @param orderingKey the ordering key: messages of the queue with equal ordering keys are processed one at a time, in order; 1 to 255
 *                    bytes of UTF-8; null for none
 * @param delay       how long the message waits, by the database's clock, to the microsecond; 0 to 1000 years; null for not at all
 * @param at          the instant before which the message does not run, by the database's clock, to the microsecond; from 1970-01-01 to
 *                    9999; null for at once. Cannot be combined with a delay
 * @param headers     texts that are stored with the message and passed to the handler; names and values are not null. The headers of a message
 *                    have at most 8000 characters in all, encoded as {@code name=value&…}; the enqueue refuses more
 * @param onDuplicate what happens when the message key is taken; needs a key. Null: the setting of the queue, or
 *                    {@link OnDuplicate#ignore()} if it has none
 * @param priority    how soon the message starts compared with others of the queue; null for the default of the queue. A message with an ordering
 *                    key can only be {@link Priority#NORMAL}
 * @param expiresAfter how long after its due time the message may still be started, by the database's clock, to the microsecond; 1 ms to 1000 years;
 *                    null: the setting of the queue, or no end if it has none
 * @param expiresAt   the instant after which the message is not started, by the database's clock, to the microsecond; from 1970-01-01 to 9999, and
 *                    after {@code at}; null for none. Cannot be combined with expiresAfter
 * @param receiptOptions whether the message has a receipt, and for how long; null for none
 */
public record EnqueueOptions(
        @Nullable String key,
        @Nullable String orderingKey,
        @Nullable Duration delay,
        @Nullable Instant at,
        Map<String, String> headers,
        @Nullable OnDuplicate onDuplicate,
        @Nullable Priority priority,
        @Nullable Duration expiresAfter,
        @Nullable Instant expiresAt,
        @Nullable ReceiptOptions receiptOptions) {

    /** How long a receipt is kept after the end of its message if the options do not say: one day. */
    public static final Duration RECEIPT_RETENTION = Duration.ofDays(1);

    private static final EnqueueOptions NONE =
            new EnqueueOptions(null, null, null, null, Map.of(), null, null, null, null, null);

    /**
     * Checks the options.
     *
     * @throws MessageRejectedException when a key or a time is outside its limits, when a header is null or no valid Unicode, when both a delay and an
     *     instant are given, when the message would expire before it is due, when the delay is longer than the longest wait of debounce, or when a message
     *     with an ordering key has another priority than NORMAL
     */
    public EnqueueOptions {
        InputChecks.checkKey("key", key);
        InputChecks.checkKey("ordering key", orderingKey);
        InputChecks.checkDue(delay, at);
        InputChecks.checkExpiry(expiresAfter, expiresAt, at);
        headers.forEach(InputChecks::checkHeader);
        headers = Map.copyOf(headers);
        if (onDuplicate != null) {
            onDuplicate.checkFor(delay);
        }
        Priority.check(priority, orderingKey, "the priority");
    }

    /** Options without keys and headers, for a message that is due at once. */
    public static EnqueueOptions options() {
        return NONE;
    }

    /**
     * Sets the message key: 1 to 255 bytes of UTF-8.
     *
     * @throws MessageRejectedException when it is longer, empty or no valid Unicode
     */
    public EnqueueOptions key(String value) {
        return with(values -> values.key = value);
    }

    /**
     * Sets the ordering key: 1 to 255 bytes of UTF-8.
     *
     * @throws MessageRejectedException when it is longer, empty or no valid Unicode
     */
    public EnqueueOptions orderingKey(String value) {
        return with(values -> values.orderingKey = value);
    }

    /**
     * Sets how long the message waits before it is due: 0 to 1000 years, counted from the INSERT.
     *
     * @throws MessageRejectedException when it is outside these bounds, or the instant is set too
     */
    public EnqueueOptions delay(Duration value) {
        return with(values -> values.delay = value);
    }

    /**
     * Sets the instant at which the message is due, by the database's clock: 1970-01-01 to 9999-01-01 (UTC). An instant in the past means at once.
     *
     * @throws MessageRejectedException when it is outside these bounds, or the delay is set too
     */
    public EnqueueOptions at(Instant value) {
        return with(values -> values.at = value);
    }

    /**
     * Adds a header, or replaces the one of the same name.
     *
     * @throws MessageRejectedException when the name or the value is null or no valid Unicode
     */
    public EnqueueOptions header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return with(values -> values.headers = more);
    }

    /**
     * Adds headers. Each replaces the one of the same name.
     *
     * @throws MessageRejectedException when a name or a value is null or no valid Unicode
     */
    public EnqueueOptions headers(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return with(values -> values.headers = all);
    }

    /** Sets what happens when the message key is taken. The enqueue refuses it without a key. */
    public EnqueueOptions onDuplicate(OnDuplicate value) {
        return with(values -> values.onDuplicate = value);
    }

    /**
     * Sets how soon the message starts compared with other messages of the queue.
     *
     * @throws MessageRejectedException when it is not NORMAL and the message has an ordering key
     */
    public EnqueueOptions priority(Priority value) {
        return with(values -> values.priority = value);
    }

    /**
     * Sets how long after its due time the message may still be started: 1 ms to 1000 years. A message that has not started by then is ended without its
     * handler: see {@link io.acidq.config.QueueConfig#onExpiry}.
     *
     * @throws MessageRejectedException when it is outside these bounds, or an instant is set too
     */
    public EnqueueOptions expiresAfter(Duration value) {
        return with(values -> values.expiresAfter = value);
    }

    /**
     * Sets the instant after which the message is not started, by the database's clock: 1970-01-01 to 9999-01-01 (UTC).
     *
     * @throws MessageRejectedException when it is outside these bounds or not after the due time, or expiresAfter is set too
     */
    public EnqueueOptions expiresAt(Instant value) {
        return with(values -> values.expiresAt = value);
    }

    /** Asks for a receipt that is kept for {@linkplain #RECEIPT_RETENTION one day}: see {@link #receipt(Duration)}. */
    public EnqueueOptions receipt() {
        return receipt(RECEIPT_RETENTION);
    }

    /**
     * Gives the message a receipt, with which {@link Receipts} answer whether the enqueue was committed and how the message has ended. It costs one INSERT in
     * the transaction of the enqueue and one UPDATE in the transaction that ends the message.
     *
     * @param retention how long the receipt is kept after the end of the message: 1 second to 365 days
     * @throws MessageRejectedException when it is outside these bounds
     */
    public EnqueueOptions receipt(Duration retention) {
        return with(values -> values.receiptOptions = new ReceiptOptions(retention, keepsResult()));
    }

    /**
     * Asks for a receipt that also keeps the result of the handler: see {@link #receipt(Duration)} and {@link Outcome#done(Object)}.
     *
     * @param retention how long the receipt and the result are kept after the end of the message: 1 second to 365 days
     * @throws MessageRejectedException when it is outside these bounds
     */
    public EnqueueOptions result(Duration retention) {
        return with(values -> values.receiptOptions = new ReceiptOptions(retention, true));
    }

    private EnqueueOptions with(Consumer<Values> change) {
        Values values = new Values(this);
        change.accept(values);
        return values.toOptions();
    }

    /** The values of options, to be changed. */
    private static final class Values {

        private @Nullable String key;
        private @Nullable String orderingKey;
        private @Nullable Duration delay;
        private @Nullable Instant at;
        private Map<String, String> headers;
        private @Nullable OnDuplicate onDuplicate;
        private @Nullable Priority priority;
        private @Nullable Duration expiresAfter;
        private @Nullable Instant expiresAt;
        private @Nullable ReceiptOptions receiptOptions;

        Values(EnqueueOptions options) {
            this.key = options.key;
            this.orderingKey = options.orderingKey;
            this.delay = options.delay;
            this.at = options.at;
            this.headers = options.headers;
            this.onDuplicate = options.onDuplicate;
            this.priority = options.priority;
            this.expiresAfter = options.expiresAfter;
            this.expiresAt = options.expiresAt;
            this.receiptOptions = options.receiptOptions;
        }

        EnqueueOptions toOptions() {
            return new EnqueueOptions(
                    key,
                    orderingKey,
                    delay,
                    at,
                    headers,
                    onDuplicate,
                    priority,
                    expiresAfter,
                    expiresAt,
                    receiptOptions);
        }
    }

    private boolean keepsResult() {
        return receiptOptions != null && receiptOptions.keepsResult();
    }

    /**
     * The receipt of a message.
     *
     * @param retention   how long it is kept after the end of the message
     * @param keepsResult whether it keeps the result of the handler
     */
    public record ReceiptOptions(Duration retention, boolean keepsResult) {

        public ReceiptOptions {
            InputChecks.checkReceiptRetention(retention);
        }
    }
}
