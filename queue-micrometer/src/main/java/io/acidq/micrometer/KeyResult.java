package io.acidq.micrometer;

import io.acidq.Enqueued;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What was done about a taken key, in words for a tag. */
final class KeyResult {

    /** The enqueue failed because of it. */
    static final String REJECTED = "rejected";

    static final List<String> NAMES = Stream.concat(
                    Stream.of(Enqueued.Result.values())
                            .filter(result -> result != Enqueued.Result.ENQUEUED)
                            .map(KeyResult::name),
                    Stream.of(REJECTED))
            .toList();

    private KeyResult() {}

    static String name(Enqueued.Result result) {
        return result.name().toLowerCase(Locale.ROOT);
    }
}
