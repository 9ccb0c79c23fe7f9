package io.acidq;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression with six fields, evaluated over local times: {@link Schedule} applies the rules of a time zone. The syntax and its meaning are those of Spring's
 * {@code CronExpression}, which a test compares. The only known difference is {@code W} at the ends of a month, for which Spring leaves out months. AcidQ parses it
 * itself, without a library, because every node and the command line must read a stored expression in the same way. Immutable.
 */
final class CronExpression {

    private static final int FIELDS = 6;
    private static final int HOURS = 24;
    private static final int DAYS_OF_WEEK = 7;
    private static final int LONGEST_MONTH = 31;

    /** No expression has a longer pause: 29 February on one day of the week comes back after at most 40 years. */
    private static final int LONGEST_PAUSE_YEARS = 60;

    private static final int LAST_YEAR = 9998;
    private static final String DAILY = "0 0 0 * * *";
    private static final Map<String, String> MACROS = Map.of(
            "@yearly", "0 0 0 1 1 *",
            "@annually", "0 0 0 1 1 *",
            "@monthly", "0 0 0 1 * *",
            "@weekly", "0 0 0 * * 0",
            "@daily", DAILY,
            "@midnight", DAILY,
            "@hourly", "0 0 * * * *");

    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
    private static final List<String> DAYS = List.of("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

    private final long seconds;
    private final long minutes;
    private final long hours;
    private final long months;
    private final DayField daysOfMonth;
    private final DayField daysOfWeek;

    private CronExpression(String text, String[] fields) {
        this.seconds = bits(new Field(text, "second", fields[0], 0, 59, List.of()));
        this.minutes = bits(new Field(text, "minute", fields[1], 0, 59, List.of()));
        this.hours = bits(new Field(text, "hour", fields[2], 0, HOURS - 1, List.of()));
        this.daysOfMonth = DayField.ofMonth(new Field(text, "day of month", fields[3], 1, LONGEST_MONTH, List.of()));
        this.months = bits(new Field(text, "month", fields[4], 1, 12, MONTHS));
        this.daysOfWeek = DayField.ofWeek(new Field(text, "day of week", fields[5], 0, DAYS_OF_WEEK, DAYS));
    }

    /**
     * Reads an expression.
     *
     * @throws QueueMisuseException when it cannot be read, or when no date matches it
     */
    static CronExpression parse(String text) {
        String[] fields =
                MACROS.getOrDefault(text.toLowerCase(Locale.ROOT), text).trim().split("\\s+");
        if (fields.length != FIELDS) {
            throw new QueueMisuseException("cron expression '" + text + "' needs 6 fields and has "
                    + (text.isBlank() ? 0 : fields.length)
                    + ": write second, minute, hour, day of month, month and day of week"
                    + (fields.length == FIELDS - 1 && isValid("0 " + text)
                            ? ", such as '0 " + text + "' for second 0"
                            : ", such as '0 30 2 * * *'"));
        }
        CronExpression cron = new CronExpression(text, fields);
        if (cron.next(LocalDateTime.of(2000, 1, 1, 0, 0)) == null) {
            throw new QueueMisuseException("cron expression '" + text + "' never comes: no month " + fields[4]
                    + " has a day of month " + fields[3]
                    + (isAny(fields[5]) ? "" : " and day of week " + fields[5])
                    + ". Correct the day, or write L for the last day of the month");
        }
        return cron;
    }

    private static boolean isValid(String text) {
        try {
            parse(text);
            return true;
        } catch (QueueMisuseException e) {
            return false;
        }
    }

    private static boolean isAny(String field) {
        return field.equals("*") || field.equals("?");
    }

    /** Whether every hour matches. */
    boolean isHourly() {
        return Long.bitCount(hours) == HOURS;
    }

    /** Returns the first matching time after this one, or null when there is none. */
    @Nullable
    LocalDateTime next(LocalDateTime after) {
        LocalDateTime from = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        LocalDate day = from.toLocalDate();
        LocalTime earliest = from.toLocalTime();
        int lastYear = Math.min(day.getYear() + LONGEST_PAUSE_YEARS, LAST_YEAR);
        while (day.getYear() <= lastYear) {
            if (!isSet(months, day.getMonthValue())) {
                day = day.withDayOfMonth(1).plusMonths(1);
            } else {
                LocalTime time = daysOfMonth.matches(day) && daysOfWeek.matches(day) ? atOrAfter(earliest) : null;
                if (time != null) {
                    return day.atTime(time);
                }
                day = day.plusDays(1);
            }
            earliest = LocalTime.MIDNIGHT;
        }
        return null;
    }

    private @Nullable LocalTime atOrAfter(LocalTime from) {
        int hour = from.getHour();
        int minute = from.getMinute();
        int second = nextBit(seconds, from.getSecond());
        if (!isSet(hours, hour)) {
            hour = nextBit(hours, hour + 1);
            return hour < 0 ? null : LocalTime.of(hour, first(minutes), first(seconds));
        }
        if (isSet(minutes, minute) && second >= 0) {
            return LocalTime.of(hour, minute, second);
        }
        minute = nextBit(minutes, minute + 1);
        if (minute >= 0) {
            return LocalTime.of(hour, minute, first(seconds));
        }
        hour = nextBit(hours, hour + 1);
        return hour < 0 ? null : LocalTime.of(hour, first(minutes), first(seconds));
    }

    private static boolean isSet(long bits, int bit) {
        return (bits >>> bit & 1) != 0;
    }

    private static int first(long bits) {
        return Long.numberOfTrailingZeros(bits);
    }

    /** Returns the first bit from this one on, or -1. */
    private static int nextBit(long bits, int from) {
        long left = from > Long.SIZE - 1 ? 0 : bits & -1L << from;
        return left == 0 ? -1 : Long.numberOfTrailingZeros(left);
    }

    private static long bits(Field field) {
        long bits = 0;
        for (String part : field.parts()) {
            bits |= field.bits(part);
        }
        return bits;
    }

    /** The text of one field. */
    private record Field(String expression, String name, String text, int min, int max, List<String> names) {

        boolean isDayOfWeek() {
            return names == DAYS;
        }

        String[] parts() {
            return text.toUpperCase(Locale.ROOT).split(",", -1);
        }

        /** Reads {@code *}, {@code 5}, {@code 5-10}, and each with a step, as in {@code 0/15}. */
        long bits(String part) {
            int slash = part.indexOf('/');
            String range = slash < 0 ? part : part.substring(0, slash);
            int step = 1;
            if (slash >= 0) {
                step = number(part.substring(slash + 1), part);
                if (step < 1) {
                    throw wrong(part, "a step is 1 or more");
                }
            }
            int from = isDayOfWeek() ? 1 : min; // any day is Monday to Sunday, and 0 is Sunday too
            int to = max;
            if (!isAny(range)) {
                int dash = range.indexOf('-');
                from = value(dash < 0 ? range : range.substring(0, dash), part);
                to = dash >= 0 ? value(range.substring(dash + 1), part) : slash < 0 ? from : max;
                if (isDayOfWeek() && dash >= 0 && from == DAYS_OF_WEEK) {
                    from = 0; // SUN-TUE
                }
                if (from > to) {
                    throw wrong(
                            part,
                            "the range ends before it begins: write two, such as " + from + "-" + max + "," + min + "-"
                                    + to);
                }
            }
            long bits = 0;
            for (int i = from; i <= to; i += step) {
                bits |= 1L << i;
            }
            return bits;
        }

        int value(String text, String part) {
            int name = names.indexOf(text);
            int value = name < 0 ? number(text, part) : name + 1;
            if (value < min || value > max) {
                throw wrong(part, "write " + min + " to " + max);
            }
            return value;
        }

        private int number(String text, String part) {
            if (text.isEmpty() || text.length() > 4 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                throw wrong(
                        part,
                        "write " + min + " to " + max
                                + (names.isEmpty() ? "" : ", or " + names.get(0) + " to " + names.get(names.size() - 1))
                                + ", '*', a range '1-5', a step '*/5', or several with ','");
            }
            return Integer.parseInt(text);
        }

        QueueMisuseException wrong(String part, String fix) {
            return new QueueMisuseException("cron expression '" + expression + "': the field " + name + " cannot be '"
                    + part.toLowerCase(Locale.ROOT) + "': " + fix);
        }
    }

    /** A field of days: numbers, and conditions such as the last Friday. */
    private record DayField(long bits, boolean ofWeek, List<Predicate<LocalDate>> conditions) {

        boolean matches(LocalDate day) {
            return isSet(bits, ofWeek ? day.getDayOfWeek().getValue() : day.getDayOfMonth())
                    || conditions.stream().anyMatch(condition -> condition.test(day));
        }

        static DayField ofMonth(Field field) {
            long bits = 0;
            List<Predicate<LocalDate>> conditions = new ArrayList<>();
            for (String part : field.parts()) {
                if (part.equals("L")) {
                    conditions.add(day -> day.getDayOfMonth() == day.lengthOfMonth());
                } else if (part.equals("LW")) {
                    conditions.add(day -> day.equals(lastWeekday(day)));
                } else if (part.startsWith("L-")) {
                    int before = field.value(part.substring(2), part);
                    conditions.add(day -> day.getDayOfMonth() == day.lengthOfMonth() - before);
                } else if (part.endsWith("W")) {
                    int target = field.value(part.substring(0, part.length() - 1), part);
                    conditions.add(day -> target <= day.lengthOfMonth() && day.equals(nearestWeekday(day, target)));
                } else {
                    bits |= field.bits(part);
                }
            }
            return new DayField(bits, false, conditions);
        }

        static DayField ofWeek(Field field) {
            long bits = 0;
            List<Predicate<LocalDate>> conditions = new ArrayList<>();
            for (String part : field.parts()) {
                int hash = part.indexOf('#');
                if (part.length() > 1 && part.endsWith("L")) {
                    DayOfWeek last = dayOfWeek(field.value(part.substring(0, part.length() - 1), part));
                    conditions.add(day -> day.equals(day.with(TemporalAdjusters.lastInMonth(last))));
                } else if (hash >= 0) {
                    DayOfWeek which = dayOfWeek(field.value(part.substring(0, hash), part));
                    int ordinal = field.number(part.substring(hash + 1), part);
                    if (ordinal < 1 || ordinal > 5) {
                        throw field.wrong(part, "write 1 to 5 after '#'");
                    }
                    conditions.add(day ->
                            day.getDayOfWeek() == which && (day.getDayOfMonth() - 1) / DAYS_OF_WEEK + 1 == ordinal);
                } else {
                    bits |= field.bits(part);
                }
            }
            return new DayField((bits & 1) != 0 ? bits | 1L << DAYS_OF_WEEK : bits, true, conditions); // 0 is Sunday
        }

        private static DayOfWeek dayOfWeek(int value) {
            return DayOfWeek.of(value == 0 ? DAYS_OF_WEEK : value);
        }

        private static boolean isWeekend(LocalDate day) {
            return day.getDayOfWeek().getValue() > DayOfWeek.FRIDAY.getValue();
        }

        private static LocalDate lastWeekday(LocalDate day) {
            LocalDate last = YearMonth.from(day).atEndOfMonth();
            while (isWeekend(last)) {
                last = last.minusDays(1);
            }
            return last;
        }

        /** The weekday of the same month that is nearest to a day of the month. */
        private static LocalDate nearestWeekday(LocalDate day, int target) {
            LocalDate wanted = day.withDayOfMonth(target);
            return switch (wanted.getDayOfWeek()) {
                case SATURDAY -> target == 1 ? wanted.plusDays(2) : wanted.minusDays(1);
                case SUNDAY -> target == day.lengthOfMonth() ? wanted.minusDays(2) : wanted.plusDays(1);
                default -> wanted;
            };
        }
    }
}
