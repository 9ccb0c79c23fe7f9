package io.acidq.config;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How many workers a queue has in this engine, each a thread that runs one handler at a time, with a connection of its own while it does.
 * There are {@code min} of them when there is little to do; more, up to {@code max}, while all are busy and the work that waits would take
 * them longer than a moment. Immutable; checked at once.
 *
 * @param min  at least so many. Too low: a burst waits for some tenths of a second until there are more; too high: idle threads. 1 to max.
 *             Default 4, like max
 * @param max  at most so many. Too low: the queue lags; too high: the connection pool is exhausted. 1 to 1000
 * @param idleTimeout workers that were not needed for so long are given back, down to {@code min}. Too short: threads come and go with each
 *             lull; too long: they stand idle. 100 ms to 1 day. Default 30 s
 * @param maxLifetime a worker older than this is replaced by a fresh thread between two runs; null for never. For handlers that leave something
 *             in their thread. Too short: threads are made all the time. 1 s to 365 days. Default none
 */
public record Concurrency(
        int min, int max, Duration idleTimeout, @Nullable Duration maxLifetime) {

    private static final int MAX_WORKERS = 1000;
    private static final Duration MIN_IDLE_TIMEOUT = Duration.ofMillis(100);
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,6})(?:\\s*-\\s*(\\d{1,6}))?");

    public Concurrency {
        require(max >= 1 && max <= MAX_WORKERS, "workers must be 1 to 1000, was " + max);
        require(min >= 1 && min <= max, "the least workers must be 1 to the most, " + max + ", was " + min);
        require(
                idleTimeout.compareTo(MIN_IDLE_TIMEOUT) >= 0 && idleTimeout.compareTo(Duration.ofDays(1)) <= 0,
                "the idle time of workers must be 100 ms to 1 day, was " + idleTimeout);
        require(
                maxLifetime == null
                        || (maxLifetime.compareTo(Duration.ofSeconds(1)) >= 0
                                && maxLifetime.compareTo(Duration.ofDays(365)) <= 0),
                "the life of workers must be 1 s to 365 days, was " + maxLifetime);
    }

    /** Always so many. */
    public static Concurrency fixed(int number) {
        return new Concurrency(number, number, DEFAULT_IDLE_TIMEOUT, null);
    }

    /** At least and at most so many. */
    public static Concurrency between(int min, int max) {
        return new Concurrency(min, max, DEFAULT_IDLE_TIMEOUT, null);
    }

    /** Reads {@code 4}, or {@code 2-16} for between 2 and 16. */
    public static Concurrency parse(String written) {
        Matcher matcher =
                WRITTEN.matcher(Objects.requireNonNull(written, "workers").trim());
        if (!matcher.matches()) {
            throw new QueueMisuseException(
                    "workers must be a number such as 4, or a range such as 2-16, was '" + written + "'");
        }
        int min = Integer.parseInt(matcher.group(1));
        String max = matcher.group(2);
        return max == null ? fixed(min) : between(min, Integer.parseInt(max));
    }

    public Concurrency withIdleTimeout(Duration value) {
        return new Concurrency(min, max, value, maxLifetime);
    }

    public Concurrency withMaxLifetime(@Nullable Duration value) {
        return new Concurrency(min, max, idleTimeout, value);
    }

    public boolean isElastic() {
        return min < max;
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return min == max ? Integer.toString(min) : min + "-" + max;
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new QueueMisuseException(rule);
        }
    }
}
