package io.acidq.engine;

import static io.acidq.EnqueueOptions.options;
import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Enqueued;
import io.acidq.NewMessage;
import io.acidq.OnDuplicate;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the figures of docs/en/duplicates.md, and is no part of the build: {@code mvn verify -pl engine-tests -am -Dit.test=BulkKeysFigures
 * -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false}.
 */
class BulkKeysFigures extends FreshEngineTests {

    private static final Logger log = LoggerFactory.getLogger(BulkKeysFigures.class);
    private static final int MANY = 100_000;

    @Test
    void enqueuesAHundredThousandMessages() throws Exception {
        measure("warm-up, without keys", bulk(10_000, "warm-", null, Duration.ZERO));
        measure("without keys", bulk(MANY, null, null, Duration.ZERO));
        measure("new keys, ignore", bulk(MANY, "k", OnDuplicate.ignore(), Duration.ZERO));
        measure("taken keys, ignore", bulk(MANY, "k", OnDuplicate.ignore(), Duration.ZERO));
        Duration hour = Duration.ofHours(1);
        measure("delayed, without keys", bulk(MANY, null, null, hour));
        measure("new keys, replace", bulk(MANY, "r", OnDuplicate.replace(), hour));
        measure("taken keys, replace", bulk(MANY, "r", OnDuplicate.replace(), hour));
    }

    private static List<NewMessage> bulk(int size, String prefix, OnDuplicate policy, Duration delay) {
        return IntStream.range(0, size)
                .mapToObj(i -> new NewMessage(
                        new Step("m", i),
                        prefix == null
                                ? options().delay(delay)
                                : options().key(prefix + i).delay(delay).onDuplicate(policy)))
                .toList();
    }

    private void measure(String what, List<NewMessage> bulk) throws Exception {
        long begin = System.nanoTime();
        List<Enqueued> results = transactions.call(() -> queue().enqueueAll("figures", bulk));
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(results).hasSize(bulk.size());
        log.info("FIGURE {} {}: {} messages in {} ms", kind, what, bulk.size(), took.toMillis());
    }
}
