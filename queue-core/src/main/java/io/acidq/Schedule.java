package io.acidq;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * When a recurring message is due: a cron expression in a time zone, a fixed rate, or a fixed delay. The ticks of cron and of a fixed rate follow
 * from the schedule alone, so every node computes the same. Immutable.
 *
 * <p><b>Cron</b> has six fields: second, minute, hour, day of month, month, day of week. When the hour is {@code *}, a tick comes whenever a clock in
 * the zone shows a matching time. Any other hour names times of the day: a time that the change to summer time skips comes at the first instant after
 * the gap, and a time that the change back shows twice comes the first time only. Ticks that fall on the same instant are one.
 *
 * <p><b>Fixed rate</b>: {@code every 15m} ticks at the multiples of 15 minutes since 1970-01-01T00:00Z, independent of time zones and of when it was set.
 *
 * <p><b>Fixed delay</b>: {@code after 15m} ticks 15 minutes after the previous message has ended, by success or otherwise.
 */
public final class Schedule {

    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Pattern DURATION = Pattern.compile("(\\d{1,15})\\s*(ms|s|m|h|d)");
    private static final Pattern INTERVAL =
            Pattern.compile("(?<kind>every|after)\\s*(?<duration>.*)", Pattern.CASE_INSENSITIVE);
    private static final String EVERY = "every ";
    private static final String AFTER = "after ";
    private static final int MAX_CHARACTERS = 200;

    private final Kind kind;
    private final String text;
    private final @Nullable ZoneId zone;
    private final @Nullable CronExpression cron;
    private final Duration period;

    private Schedule(Kind kind, String text, @Nullable ZoneId zone, @Nullable CronExpression cron, Duration period) {
        this.kind = kind;
        this.text = text;
        this.zone = zone;
        this.cron = cron;
        this.period = period;
    }

    /** The kinds of schedules. */
    public enum Kind {
        /** At the times of a cron expression. */
        CRON,
        /** At a fixed rate. */
        EVERY,
        /** A fixed delay after the end of the previous message. */
        AFTER
    }

    /**
     * Ticks at the times of a cron expression.
     *
     * @param expression six fields, such as {@code 0 30 2 * * *} for 02:30 every day, or a macro such as {@code @daily}
     * @param zone       the time zone of these times
     * @throws QueueMisuseException when the expression cannot be read, or never comes
     */
    public static Schedule cron(String expression, ZoneId zone) {
        return checkedCron(expression, zone);
    }

    private static Schedule checkedCron(@Nullable String expression, @Nullable ZoneId zone) {
        if (expression == null || expression.length() > MAX_CHARACTERS) {
            throw new QueueMisuseException("a cron expression must have 1 to " + MAX_CHARACTERS + " characters, was "
                    + (expression == null
                            ? "null"
                            : expression.length() + " characters: '" + expression.substring(0, 40) + "…'"));
        }
        if (zone == null) {
            throw new QueueMisuseException(
                    "cron expression '" + expression
                            + "' has no time zone: name one, such as Europe/Berlin or UTC; the zone of the machine is not used");
        }
        String trimmed = expression.trim();
        return new Schedule(Kind.CRON, trimmed, zone, CronExpression.parse(trimmed), Duration.ZERO);
    }

    /**
     * Returns a schedule by a cron expression, in the zone of this name: see {@link #cron(String, ZoneId)}.
     *
     * @throws QueueMisuseException when the zone is unknown, or the expression cannot be read or never comes
     */
    public static Schedule cron(String expression, String zone) {
        return checkedCron(expression, zone == null || zone.isBlank() ? null : zone(zone.trim(), expression));
    }

    /**
     * Ticks at a fixed rate.
     *
     * @throws QueueMisuseException when the period is not 100 ms to 36500 days in whole milliseconds
     */
    public static Schedule every(Duration period) {
        return of(Kind.EVERY, period);
    }

    /**
     * Ticks a fixed delay after the end of the previous message; the first tick comes after the same delay.
     *
     * @throws QueueMisuseException when the delay is not 100 ms to 36500 days in whole milliseconds
     */
    public static Schedule after(Duration delay) {
        return of(Kind.AFTER, delay);
    }

    private static Schedule of(Kind kind, Duration period) {
        if (!InputChecks.isWithin(period, SHORTEST, LONGEST) || period.toNanosPart() % 1_000_000 != 0) {
            throw new QueueMisuseException((kind == Kind.EVERY ? "the period of a fixed rate" : "a fixed delay")
                    + " must be 100 ms to 36500 days in whole milliseconds, was " + period);
        }
        return new Schedule(kind, (kind == Kind.EVERY ? EVERY : AFTER) + format(period), null, null, period);
    }

    /**
     * Reads the text of a schedule: {@code every 30s}, {@code after 15m}, or a cron expression. The words may be in upper case. Durations have the
     * units ms, s, m, h and d.
     *
     * @param zone the time zone of a cron expression; null or empty for the others
     * @throws QueueMisuseException when the text cannot be read
     */
    public static Schedule parse(String text, @Nullable String zone) {
        if (text == null || text.isBlank()) {
            throw new QueueMisuseException(
                    "a schedule is missing: write a cron expression such as '0 30 2 * * *' with a zone, 'every 30s', or 'after 15m'");
        }
        String trimmed = text.trim();
        Matcher words = INTERVAL.matcher(trimmed);
        if (!words.matches()) {
            return cron(trimmed, Objects.requireNonNullElse(zone, ""));
        }
        if (zone != null && !zone.isBlank()) {
            throw new QueueMisuseException("schedule '" + text + "' has the zone '" + zone
                    + "', but only cron expressions have one: leave it out");
        }
        Duration period = duration(words.group("duration"), text);
        return words.group("kind").equalsIgnoreCase(EVERY.trim()) ? every(period) : after(period);
    }

    private static Duration duration(String text, String whole) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new QueueMisuseException("schedule '" + whole + "': '" + text
                    + "' is no duration: write a number and ms, s, m, h or d, such as 30s");
        }
        long number = Long.parseLong(matcher.group(1));
        try {
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        } catch (ArithmeticException e) {
            throw new QueueMisuseException("schedule '" + whole + "': '" + text + "' is longer than 36500 days", e);
        }
    }

    private static String format(Duration period) {
        long millis = period.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    private static ZoneId zone(String name, String expression) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new QueueMisuseException(
                    "cron expression '" + expression + "' has the unknown time zone '" + name
                            + "': use a name of the IANA database, such as Europe/Berlin, America/New_York or UTC",
                    e);
        }
    }

    public Kind kind() {
        return kind;
    }

    /** The text that {@link #parse} reads. */
    public String text() {
        return text;
    }

    /** The time zone of a cron expression; empty for the other kinds. */
    public Optional<ZoneId> zone() {
        return Optional.ofNullable(zone);
    }

    /** The period of a fixed rate, or the fixed delay; zero for cron. */
    public Duration period() {
        return period;
    }

    /**
     * Returns the first tick after an instant. For a fixed delay it is the tick after a message that ended at this instant.
     *
     * @return empty when no tick is left before the year 9999
     */
    public Optional<Instant> next(Instant after) {
        return switch (kind) {
            case EVERY -> {
                long millis = period.toMillis();
                yield Optional.of(Instant.ofEpochMilli((Math.floorDiv(after.toEpochMilli(), millis) + 1) * millis));
            }
            case AFTER -> Optional.of(after.plus(period));
            case CRON -> Optional.ofNullable(nextOfCron(after));
        };
    }

    private @Nullable Instant nextOfCron(Instant after) {
        ZoneRules rules = Objects.requireNonNull(zone).getRules();
        return Objects.requireNonNull(cron).isHourly()
                ? nextShown(cron, after, rules)
                : nextTimeOfDay(cron, after, rules);
    }

    /** The next instant at which a clock shows a matching time. */
    private static @Nullable Instant nextShown(CronExpression cron, Instant after, ZoneRules rules) {
        ZoneOffset offset = rules.getOffset(after);
        LocalDateTime from = LocalDateTime.ofInstant(after, offset);
        ZoneOffsetTransition change = rules.nextTransition(after);
        while (true) {
            LocalDateTime next = cron.next(from);
            if (next != null && (change == null || next.toInstant(offset).isBefore(change.getInstant()))) {
                return next.toInstant(offset);
            }
            if (change == null || next == null) {
                return null;
            }
            offset = change.getOffsetAfter();
            from = change.getDateTimeAfter().minusNanos(1);
            change = rules.nextTransition(change.getInstant());
        }
    }

    /** The next time of the day: after a gap when it is skipped, and only the first one when it is shown twice. */
    private static @Nullable Instant nextTimeOfDay(CronExpression cron, Instant after, ZoneRules rules) {
        LocalDateTime from = LocalDateTime.ofInstant(after, rules.getOffset(after));
        ZoneOffsetTransition change = rules.getTransition(from);
        if (change != null && change.isOverlap() && !after.isBefore(change.getInstant())) {
            from = change.getDateTimeBefore().minusNanos(1); // all times of the overlap were shown already
        }
        while (true) {
            LocalDateTime next = cron.next(from);
            if (next == null) {
                return null;
            }
            ZoneOffsetTransition at = rules.getTransition(next);
            Instant instant = at != null && at.isGap()
                    ? at.getInstant()
                    : next.toInstant(rules.getValidOffsets(next).get(0));
            if (instant.isAfter(after)) {
                return instant;
            }
            from = next;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schedule that && text.equals(that.text) && Objects.equals(zone, that.zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, zone);
    }

    /** The text, with the zone of a cron expression: {@code 0 30 2 * * * (Europe/Berlin)}. */
    @Override
    public String toString() {
        return zone == null ? text : text + " (" + zone + ")";
    }
}
