package io.acidq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A recurring message: a name, a schedule, and the message that each tick enqueues. Immutable. Begin with {@link #message}:
 *
 * <pre>{@code
 * recurring.put(Recurring.message("invoice/" + tenant, Schedule.cron("0 0 6 1 * *", zone), "invoice.run")
 *         .withPayload(new Invoicing(tenant))
 *         .withMisfire(Misfire.catchUp(3)));
 * }</pre>
 *
 * @param name        identifies it in the database: 1 to 191 characters without control characters and backslashes. Slashes divide it into parts,
 *                    none of which is empty, {@code .} or {@code ..}, so that the endpoint can address it
 * @param schedule    when it is due
 * @param destination the queue that each tick enqueues to, or the topic
 * @param topic       whether the destination is a topic
 * @param payload     the payload of each message; null for the {@link Tick}
 * @param orderingKey the ordering key of each message; null for none
 * @param headers     headers of each message, in addition to those of the tick
 * @param misfire     what happens with ticks that are later than the grace
 * @param grace       how late a tick may be and still count as on time: 1 s to 36500 days. Too short: a restart of all nodes is a misfire; too long: many messages at
 *                    once after an outage. Default 1 minute
 * @param overlap     what happens when the previous message has not ended
 * @param expiresAfter how long after its enqueue the message of a tick may be started; null for the default of the queue
 * @param spread      the window in which the ticks of this recurring message come later than its schedule says: zero, the default, or 1 s to 1 day.
 *                    The name decides how much later, always the same, so that those of many tenants do not come at once
 */
public record Recurring(
        String name,
        Schedule schedule,
        String destination,
        boolean topic,
        @Nullable Object payload,
        @Nullable String orderingKey,
        Map<String, String> headers,
        Misfire misfire,
        Duration grace,
        Overlap overlap,
        @Nullable Duration expiresAfter,
        Duration spread) {

    private static final int NAME_CHARACTERS = 191;
    private static final Duration DEFAULT_GRACE = Duration.ofMinutes(1);
    private static final Duration SHORTEST_GRACE = Duration.ofSeconds(1);
    private static final Duration LONGEST_SPREAD = Duration.ofDays(1);
    private static final Duration LONGEST_GRACE = Duration.ofDays(36_500);

    /**
     * Checks the values.
     *
     * @throws QueueMisuseException     when a name or the grace is outside its limits, when a header is one that each tick writes, or when a topic is
     *                                  combined with a fixed delay or with {@link Overlap#SKIP}
     * @throws MessageRejectedException when the ordering key or a header is invalid
     */
    public Recurring {
        checkName(name);
        String what = "recurring message '" + name + "': ";
        InputChecks.require(
                schedule != null, what + "the schedule is null: give one with Schedule.cron, every or after");
        if (topic) {
            InputChecks.checkTopic(destination);
            InputChecks.require(
                    overlap != Overlap.SKIP && schedule.kind() != Schedule.Kind.AFTER,
                    what
                            + "a message to a topic has several ends, one for each subscription, so it cannot have a fixed delay"
                            + " or skip overlaps: let a tick enqueue to a queue whose listener publishes");
        } else {
            InputChecks.checkQueue(destination);
        }
        InputChecks.checkKey("ordering key", orderingKey);
        headers.forEach((header, value) -> {
            InputChecks.checkHeader(header, value);
            InputChecks.require(
                    !Tick.HEADERS.contains(header),
                    what + "each tick writes the header '" + header
                            + "' itself: choose another name, or give the value with withPayload");
        });
        headers = Map.copyOf(headers);
        Objects.requireNonNull(misfire, "misfire");
        Objects.requireNonNull(overlap, "overlap");
        InputChecks.require(
                InputChecks.isWithin(grace, SHORTEST_GRACE, LONGEST_GRACE),
                what + "the grace must be 1 s to 36500 days, was " + grace);
        if (expiresAfter != null) {
            InputChecks.checkTimeToLive(expiresAfter);
        }
        Objects.requireNonNull(spread, "spread");
        InputChecks.require(
                spread.isZero() || InputChecks.isWithin(spread, SHORTEST_GRACE, LONGEST_SPREAD),
                what + "the spread must be zero or 1 s to 1 day, was " + spread);
        InputChecks.require(
                spread.isZero() || schedule.kind() != Schedule.Kind.AFTER,
                what + "a fixed delay has no spread, because it counts from the end of the previous message");
    }

    /**
     * Returns a name of a recurring message if it is valid.
     *
     * @throws QueueMisuseException when it is not
     */
    public static String checkName(@Nullable String name) {
        if (name == null
                || name.isBlank()
                || !name.equals(name.strip())
                || name.length() > NAME_CHARACTERS
                || name.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\')
                || Stream.of(name.split("/", -1))
                        .anyMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."))
                || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new QueueMisuseException(
                    "name of a recurring message '" + name + "' is not allowed: use 1 to " + NAME_CHARACTERS
                            + " characters without control characters and backslashes, not beginning or ending with a blank, with no part between slashes that is empty, . or .., such as invoice/tenant-7");
        }
        return name;
    }

    /**
     * A recurring message to a queue, with the {@link Tick} as its payload. Misfires are combined, or skipped for a fixed rate of less than a minute.
     *
     * @throws QueueMisuseException when the name or the queue is not valid
     */
    public static Recurring message(String name, Schedule schedule, String queue) {
        return of(name, schedule, queue, false);
    }

    /** Returns a recurring message for a topic: each tick is published to its subscriptions. See {@link #message}. */
    public static Recurring publication(String name, Schedule schedule, String topic) {
        return of(name, schedule, topic, true);
    }

    private static Recurring of(String name, Schedule schedule, String destination, boolean topic) {
        return new Recurring(
                name,
                schedule,
                destination,
                topic,
                null,
                null,
                Map.of(),
                Misfire.defaultOf(schedule),
                DEFAULT_GRACE,
                Overlap.ALLOW,
                null,
                Duration.ZERO);
    }

    private Recurring with(Consumer<Values> change) {
        Values values = new Values(this);
        change.accept(values);
        return values.toRecurring();
    }

    public Recurring withPayload(Object value) {
        return with(values -> values.payload = value);
    }

    public Recurring withOrderingKey(@Nullable String value) {
        return with(values -> values.orderingKey = value);
    }

    /** Adds a header, or replaces the one of the same name. */
    public Recurring withHeader(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return with(values -> values.headers = more);
    }

    public Recurring withMisfire(Misfire value) {
        return with(values -> values.misfire = value);
    }

    public Recurring withGrace(Duration value) {
        return with(values -> values.grace = value);
    }

    public Recurring withOverlap(Overlap value) {
        return with(values -> values.overlap = value);
    }

    /** Sets how long after its enqueue the message of a tick may be started; see {@link EnqueueOptions#expiresAfter}. */
    public Recurring withExpiresAfter(@Nullable Duration value) {
        return with(values -> values.expiresAfter = value);
    }

    /** Lets each tick come later than the schedule says, by a part of this time that depends on the name. */
    public Recurring withSpread(Duration value) {
        return with(values -> values.spread = value);
    }

    /** Returns how much later than its schedule a recurring message of this name comes. The same for each tick and in each process. */
    public static Duration spreadOf(String name, Duration spread) {
        CRC32 hash = new CRC32();
        hash.update(name.getBytes(StandardCharsets.UTF_8));
        return Duration.ofMillis((hash.getValue() * spread.toMillis()) >>> 32);
    }

    /** The policy for a tick while the message of the previous one waits, is scheduled or runs. */
    public enum Overlap {
        /** It enqueues its message all the same. */
        ALLOW,
        /** It enqueues nothing; the history records it. A schedule with a fixed delay never overlaps. */
        SKIP
    }

    /**
     * The policy for ticks that are later than the grace, because no node ran, the message was paused, or the clock was set forward.
     *
     * @param limit how many of them are enqueued, the latest ones, oldest first: 0 to 1000
     * @param combined whether one message stands for all of them, and says how many it stands for
     */
    public record Misfire(int limit, boolean combined) {

        private static final int MAX_CAUGHT_UP = 1000;
        private static final String CATCH_UP = "catch-up ";
        private static final Misfire SKIP = new Misfire(0, false);
        private static final Misfire ONCE = new Misfire(1, true);

        public Misfire {
            InputChecks.require(
                    limit >= 0 && limit <= MAX_CAUGHT_UP && (!combined || limit == 1),
                    "a misfire policy catches up 1 to " + MAX_CAUGHT_UP + " ticks, was " + limit);
        }

        /** Enqueues none of them. */
        public static Misfire skip() {
            return SKIP;
        }

        /** Enqueues one message for the latest of them; {@link Tick#missed} says how many earlier ones it stands for. */
        public static Misfire once() {
            return ONCE;
        }

        /**
         * Enqueues a message for each of the latest ones, and none for those before.
         *
         * @param limit how many: 1 to 1000
         */
        public static Misfire catchUp(int limit) {
            InputChecks.require(
                    limit >= 1, "a misfire policy catches up 1 to " + MAX_CAUGHT_UP + " ticks, was " + limit);
            return new Misfire(limit, false);
        }

        static Misfire defaultOf(@Nullable Schedule schedule) {
            return schedule != null
                            && schedule.kind() == Schedule.Kind.EVERY
                            && schedule.period().compareTo(Duration.ofMinutes(1)) < 0
                    ? SKIP
                    : ONCE;
        }

        /**
         * Reads {@code skip}, {@code once} or {@code catch-up 5}.
         *
         * @throws QueueMisuseException when the text is none of them
         */
        public static Misfire parse(String text) {
            String trimmed = text.trim();
            if (trimmed.equals("skip")) {
                return SKIP;
            }
            if (trimmed.equals("once")) {
                return ONCE;
            }
            if (trimmed.matches(CATCH_UP + "\\d{1,4}")) {
                return catchUp(Integer.parseInt(trimmed.substring(CATCH_UP.length())));
            }
            throw new QueueMisuseException("misfire policy '" + text
                    + "' is unknown: write skip, once, or catch-up 5 with a number up to " + MAX_CAUGHT_UP);
        }

        /** The text that {@link #parse} reads. */
        @Override
        public String toString() {
            return combined ? "once" : limit == 0 ? "skip" : CATCH_UP + limit;
        }
    }

    /** The values that can be changed after the creation. */
    private static final class Values {

        private final Recurring original;
        private @Nullable Object payload;
        private @Nullable String orderingKey;
        private Map<String, String> headers;
        private Misfire misfire;
        private Duration grace;
        private Overlap overlap;
        private @Nullable Duration expiresAfter;
        private Duration spread;

        Values(Recurring original) {
            this.original = original;
            this.payload = original.payload;
            this.orderingKey = original.orderingKey;
            this.headers = original.headers;
            this.misfire = original.misfire;
            this.grace = original.grace;
            this.overlap = original.overlap;
            this.expiresAfter = original.expiresAfter;
            this.spread = original.spread;
        }

        Recurring toRecurring() {
            return new Recurring(
                    original.name,
                    original.schedule,
                    original.destination,
                    original.topic,
                    payload,
                    orderingKey,
                    headers,
                    misfire,
                    grace,
                    overlap,
                    expiresAfter,
                    spread);
        }
    }
}
