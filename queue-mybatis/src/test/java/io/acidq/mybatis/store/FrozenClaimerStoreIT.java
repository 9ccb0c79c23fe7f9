package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.store.ClaimStore.Claimed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A process that stops in the middle of a claim: takes the ten seconds of the session's wait_timeout. */
@EachServer(variants = false)
class FrozenClaimerStoreIT extends StoreFixture {

    @Test
    void freesTheLaneAfterTenSecondsAndCommitsNothing() {
        CountDownLatch marked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        fixture.enqueue(0, null, "a");
        CompletableFuture<Claimed> frozen =
                QueueFixture.runAsync(() -> database().own().runAndKeep("claimDue", t -> {
                    Claimed claimed = new LaneClaim(t, fixture.request(0, 1), false).claim();
                    marked.countDown();
                    QueueFixture.await(end);
                    return claimed;
                }));
        QueueFixture.await(marked);

        assertThat(fixture.claim(0, 10)).isSameAs(Claimed.BUSY);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> !fixture.claim(0, 10).messages().isEmpty());
        end.countDown();

        assertThat(frozen).failsWithin(Duration.ofSeconds(30));
        assertThat(claims.claimedBy(fixture.node))
                .extracting(h -> h.claim().claimNo())
                .containsExactly(1);
    }
}
