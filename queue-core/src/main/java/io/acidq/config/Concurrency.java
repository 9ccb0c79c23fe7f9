package io.acidq.config;

import static io.acidq.InputChecks.isWithin;
import static io.acidq.InputChecks.require;

import io.acidq.QueueMisuseException;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The number of workers of a queue in this engine. A worker is a thread that runs one handler at a time and uses one connection while it does. The
 * number grows from {@code min} to {@code max} while all workers are busy and more messages wait than they can soon process. Immutable. Values are checked
 * when they are set.
 *
 * @param min         the minimum number of workers. Too low: a burst waits some tenths of a second for new workers; too high: idle threads. 1 to max.
 *                    Default 4
 * @param max         the maximum number of workers. Too low: the backlog grows; too high: the connection pool is exhausted. 1 to 1000. Default 4
 * @param idleTimeout how long a worker above {@code min} may be idle before it ends. Too short: threads are created and ended with each pause in the
 *                    load; too long: idle threads. 100 ms to 1 day. Default 30 s
 * @param maxLifetime the age at which a worker is replaced by a new thread, between two runs; null for never. For handlers that leave data in
 *                    their thread. Too short: threads are created all the time. 1 s to 365 days. Default none
 */
public record Concurrency(
        int min, int max, Duration idleTimeout, @Nullable Duration maxLifetime) {

    private static final int MAX_WORKERS = 1000;
    private static final Duration MIN_IDLE_TIMEOUT = Duration.ofMillis(100);
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,6})(?:\\s*-\\s*(\\d{1,6}))?");

    public Concurrency {
        require(max >= 1 && max <= MAX_WORKERS, "concurrency must be 1 to 1000 workers, was " + max);
        require(min >= 1 && min <= max, "the minimum of concurrency must be 1 to the maximum, " + max + ", was " + min);
        require(
                isWithin(idleTimeout, MIN_IDLE_TIMEOUT, Duration.ofDays(1)),
                "the idle timeout of workers must be 100 ms to 1 day, was " + idleTimeout);
        require(
                maxLifetime == null || isWithin(maxLifetime, Duration.ofSeconds(1), Duration.ofDays(365)),
                "the maximum lifetime of workers must be 1 s to 365 days, was " + maxLifetime);
    }

    /** A fixed number of workers. */
    public static Concurrency fixed(int number) {
        return new Concurrency(number, number, DEFAULT_IDLE_TIMEOUT, null);
    }

    /** A range of workers. */
    public static Concurrency between(int min, int max) {
        return new Concurrency(min, max, DEFAULT_IDLE_TIMEOUT, null);
    }

    /** Parses a number such as {@code 4}, or a range such as {@code 2-16}. */
    public static Concurrency parse(String written) {
        Matcher matcher =
                WRITTEN.matcher(Objects.requireNonNull(written, "concurrency").trim());
        if (!matcher.matches()) {
            throw new QueueMisuseException(
                    "concurrency must be a number of workers such as 4, or a range such as 2-16, was '" + written
                            + "'");
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

    /** Whether the number of workers can change. */
    public boolean isElastic() {
        return min < max;
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return min == max ? Integer.toString(min) : min + "-" + max;
    }
}
