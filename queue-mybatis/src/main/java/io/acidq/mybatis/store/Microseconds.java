package io.acidq.mybatis.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Converts times to microseconds, the unit of the database. Rounds up, so that no message runs before it is due. */
final class Microseconds {

    private static final long MICROS = 1_000_000;
    private static final int NANOS = 1_000;

    private Microseconds() {}

    static long of(Duration time) {
        return Math.addExact(Math.multiplyExact(time.toSeconds(), MICROS), (time.toNanosPart() + NANOS - 1) / NANOS);
    }

    static Instant notBefore(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return micros.equals(time) ? time : micros.plus(1, ChronoUnit.MICROS);
    }

    static @Nullable Duration duration(@Nullable Long micros) {
        return micros == null ? null : Duration.of(micros, ChronoUnit.MICROS);
    }
}
