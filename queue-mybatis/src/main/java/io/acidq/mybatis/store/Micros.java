package io.acidq.mybatis.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Microseconds, the database's unit of time. Rounded up: nothing may run before it is due. */
final class Micros {

    private Micros() {}

    static long of(Duration time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, notBefore(Instant.EPOCH.plus(time)));
    }

    static Instant notBefore(Instant time) {
        Instant micros = time.truncatedTo(ChronoUnit.MICROS);
        return micros.equals(time) ? time : micros.plus(1, ChronoUnit.MICROS);
    }

    static @Nullable Duration duration(@Nullable Long micros) {
        return micros == null ? null : Duration.of(micros, ChronoUnit.MICROS);
    }
}
