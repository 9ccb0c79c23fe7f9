package io.acidq.cli;

import io.acidq.AcidqException;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.Operator;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Options and option types that several commands share. */
final class SharedOptions {

    private SharedOptions() {}

    /** Returns a value built from options. A {@link QueueMisuseException} becomes an error of the command line. */
    static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (QueueMisuseException e) {
            throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Checks a value. A {@link QueueMisuseException} becomes an error of the command line. */
    static void checked(Runnable check) {
        checked(() -> {
            check.run();
            return true;
        });
    }

    /** Returns the time of an option: a time, or a duration before the time of the database. */
    static Instant time(String text, Store store) {
        try {
            return text.contains("T")
                    ? Instant.parse(text)
                    : store.server().session().now().minus(new DurationConverter().convert(text));
        } catch (DateTimeParseException | TypeConversionException e) {
            throw new CommandException(
                    ExitCode.USAGE, "'" + text + "' is not a time such as 2h or 2031-05-01T12:00:00Z");
        }
    }

    /** The options that name the author and the reason of a change, for the audit log. */
    static final class AuditInfo {

        @Option(
                names = "--actor",
                paramLabel = "NAME",
                defaultValue = "${sys:user.name}",
                description = "Who makes the change, for the audit log. Default: the user of this machine.")
        private String actor = "";

        @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for the audit log.")
        private String reason = "";

        /** Returns both values, after checking them against the limits of the audit log. */
        Operator operator() {
            return checked(() -> new Operator(actor, reason));
        }
    }

    /** Parses {@code 500ms}, {@code 30s}, {@code 5m}, {@code 2h} or {@code 7d}. */
    static final class DurationConverter implements ITypeConverter<Duration> {

        private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

        @Override
        public Duration convert(String text) {
            Matcher matcher = DURATION.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not a duration such as 500ms, 30s, 5m, 2h or 7d");
            }
            long number = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }
    }

    /** Parses the public id of a message. */
    static final class MessageIdConverter implements ITypeConverter<MessageId> {

        @Override
        public MessageId convert(String text) {
            try {
                return MessageId.parse(text);
            } catch (IllegalArgumentException | AcidqException e) {
                throw new TypeConversionException("'" + text + "' is not a message id: expected queue~lane~uid");
            }
        }
    }

    /** Parses the highest number of rows of a list. */
    static final class LimitConverter implements ITypeConverter<Integer> {

        private static final int MAX = 10_000;

        @Override
        public Integer convert(String text) {
            if (!text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MAX) {
                throw new TypeConversionException("'" + text + "' is not a number from 1 to " + MAX);
            }
            return Integer.valueOf(text);
        }
    }
}
