package io.acidq.cli;

import io.acidq.admin.DeadLetterFilter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Which dead letters are meant. */
final class DeadOptions {

    @Parameters(paramLabel = "QUEUE", description = "The queue.")
    String queue = "";

    @Option(names = "--cause", paramLabel = "FINGERPRINT", description = "Those of this cause: see dead list --groups.")
    private @Nullable String cause;

    @Option(names = "--type", paramLabel = "NAME", description = "Those of this payload type.")
    private @Nullable String type;

    @Option(names = "--key", paramLabel = "KEY", description = "Those with this message key.")
    private @Nullable String key;

    @Option(names = "--ordering-key", paramLabel = "KEY", description = "Those with this ordering key.")
    private @Nullable String orderingKey;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Those that died since: 2h, or 2031-05-01T12:00:00Z, by the database's clock.")
    private @Nullable String since;

    @Option(names = "--until", paramLabel = "TIME", description = "Those that died before, written as --since.")
    private @Nullable String until;

    /**
     * The filter.
     *
     * @param now the database's clock
     */
    DeadLetterFilter filter(Supplier<Instant> now) {
        Instant from = at(since, now);
        Instant to = at(until, now);
        return Arguments.checked(() -> new DeadLetterFilter(queue, cause, type, key, orderingKey, from, to));
    }

    private static @Nullable Instant at(@Nullable String text, Supplier<Instant> now) {
        if (text == null) {
            return null;
        }
        try {
            return text.contains("T") ? Instant.parse(text) : now.get().minus(new DurationConverter().convert(text));
        } catch (DateTimeParseException | TypeConversionException e) {
            throw new RefusedException(ExitCode.USAGE, "'" + text + "' is no time such as 2h or 2031-05-01T12:00:00Z");
        }
    }
}
