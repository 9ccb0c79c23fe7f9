package io.acidq.mybatis.store;

import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A filter and a page as the statements want them: null is “whatever”. */
record DeadQuery(
        int queue,
        byte @Nullable [] fingerprint,
        @Nullable String type,
        @Nullable String key,
        @Nullable String orderingKey,
        @Nullable Instant from,
        @Nullable Instant until,
        @Nullable Instant afterDiedAt,
        @Nullable UUID afterUid,
        int limit) {

    static DeadQuery of(int queue, DeadLetterFilter filter, DeadLetterPage page) {
        return new DeadQuery(
                queue,
                filter.fingerprint() == null ? null : HexFormat.of().parseHex(filter.fingerprint()),
                filter.type(),
                filter.key(),
                filter.orderingKey(),
                notBefore(filter.from()),
                notBefore(filter.until()),
                page.afterDiedAt(),
                page.afterUid(),
                page.limit());
    }

    /** From the beginning. */
    static DeadQuery of(int queue, DeadLetterFilter filter, int limit) {
        DeadQuery page = of(queue, filter, DeadLetterPage.first(1));
        return new DeadQuery(
                queue,
                page.fingerprint,
                page.type,
                page.key,
                page.orderingKey,
                page.from,
                page.until,
                null,
                null,
                limit);
    }

    /** Of the whole microseconds that the database has, those at or after an instant are the same as those at or after the next whole one. */
    private static @Nullable Instant notBefore(@Nullable Instant time) {
        return time == null ? null : Micros.notBefore(time);
    }
}
