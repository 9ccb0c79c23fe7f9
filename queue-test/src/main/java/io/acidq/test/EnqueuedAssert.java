package io.acidq.test;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.codec.Codec;
import io.acidq.codec.UndecodableException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Assertions on enqueued messages with a payload of one type. Each call keeps the messages that match, and fails if none does; the error lists the enqueued
 * messages.
 *
 * @param <T> the type of the payload
 */
public final class EnqueuedAssert<T> {

    private static final int LONGEST_PAYLOAD = 200;

    private final List<EnqueuedMessage> all;
    private final Class<T> type;
    private final Codec codec;
    private List<EnqueuedMessage> found;
    private String expected;

    EnqueuedAssert(List<EnqueuedMessage> all, Class<T> type, Codec codec) {
        this.all = all;
        this.type = type;
        this.codec = codec;
        this.found = all;
        this.expected = "a message with a " + type.getSimpleName();
        narrow("", m -> payload(m, type, codec).isPresent());
    }

    public EnqueuedAssert<T> inQueue(String queue) {
        return narrow(" in queue '" + queue + "'", m -> m.id().queue().equals(queue));
    }

    /** Verifies that a message has this message key. */
    public EnqueuedAssert<T> withKey(String key) {
        return narrow(", key '" + key + "'", m -> m.key().equals(Optional.of(key)));
    }

    /** Verifies that a message has this ordering key. */
    public EnqueuedAssert<T> withOrderingKey(String key) {
        return narrow(", ordering key '" + key + "'", m -> m.orderingKey().equals(Optional.of(key)));
    }

    public EnqueuedAssert<T> withHeader(String name, String value) {
        return narrow(
                ", header " + name + "=" + value, m -> value.equals(m.headers().get(name)));
    }

    /** Verifies that a message, after decoding, has an equal payload. */
    public EnqueuedAssert<T> withPayload(T payload) {
        return narrow(
                ", payload " + payload,
                m -> payload(m, type, codec).filter(payload::equals).isPresent());
    }

    /** Verifies that the payload of a message satisfies the assertions. The error contains the failed assertions for each message. */
    public EnqueuedAssert<T> satisfying(Consumer<T> assertions) {
        List<AssertionError> unmet = new ArrayList<>();
        try {
            return narrow(
                    ", a payload that satisfies the assertions",
                    m -> payload(m, type, codec)
                            .filter(p -> satisfies(p, assertions, unmet))
                            .isPresent());
        } catch (AssertionError e) {
            throw told(e, unmet);
        }
    }

    private boolean satisfies(T payload, Consumer<T> assertions, List<AssertionError> unmet) {
        try {
            assertions.accept(payload);
            return true;
        } catch (AssertionError e) {
            unmet.add(e);
            return false;
        }
    }

    private static AssertionError told(AssertionError none, List<AssertionError> unmet) {
        if (unmet.isEmpty()) {
            return none;
        }
        String reasons = unmet.stream().map(e -> "\n  " + e.getMessage()).collect(Collectors.joining());
        AssertionError told = new AssertionError(none.getMessage() + "\nnot satisfied:" + reasons, unmet.get(0));
        unmet.stream().skip(1).forEach(told::addSuppressed);
        return told;
    }

    /** Verifies that a message is due this time after it was enqueued. */
    public EnqueuedAssert<T> withDelay(Duration delay) {
        return narrow(
                ", delay " + delay,
                m -> Duration.between(m.enqueuedAt(), m.dueAt()).equals(delay));
    }

    /** Verifies that a message is due at this instant, truncated to microseconds. */
    public EnqueuedAssert<T> dueAt(Instant at) {
        return narrow(", due at " + at, m -> m.dueAt().equals(at.truncatedTo(ChronoUnit.MICROS)));
    }

    /** Verifies that there is exactly one matching message. */
    public EnqueuedAssert<T> once() {
        return times(1);
    }

    /** Verifies that there is exactly this number of matching messages. */
    public EnqueuedAssert<T> times(int number) {
        if (found.size() != number) {
            throw new AssertionError("expected " + expected + " " + number + " times, found " + found.size()
                    + "; enqueued:" + TestQueueAssert.list(all));
        }
        return this;
    }

    private EnqueuedAssert<T> narrow(String more, Predicate<EnqueuedMessage> fits) {
        expected += more;
        found = found.stream().filter(fits).toList();
        if (found.isEmpty()) {
            throw new AssertionError("expected " + expected + "; enqueued:" + TestQueueAssert.list(all));
        }
        return this;
    }

    static <T> Optional<T> payload(EnqueuedMessage message, Class<T> type, Codec codec) {
        try {
            return Optional.ofNullable(codec.decode(new Codec.Encoded(message.type(), message.payload()), type));
        } catch (UndecodableException e) {
            return Optional.empty();
        }
    }

    static String text(EnqueuedMessage message) {
        String text = new String(message.payload(), UTF_8);
        return text.length() <= LONGEST_PAYLOAD ? text : text.substring(0, LONGEST_PAYLOAD) + "…";
    }
}
