package io.acidq.mybatis.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acidq.mybatis.MyBatisStore;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.ServerStore;
import io.acidq.store.ServerStore.Locking;
import io.acidq.store.Store;
import io.acidq.testservers.FaultyDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Concurrent claims with different strategies, and servers that lack a feature. */
@EachServer
class StrategyRaceStoreIT extends StrategyFixture {

    private static final Map<FaultyDataSource.Defect, Locking> FOUND = Map.of(
            FaultyDataSource.Defect.DOES_NOT_KNOW_SKIP_LOCKED, Locking.UNKNOWN,
            FaultyDataSource.Defect.DOES_NOT_SKIP, Locking.WAITS,
            FaultyDataSource.Defect.LOCKS_NOTHING, Locking.LOCKS_NOTHING,
            FaultyDataSource.Defect.SHOWS_OLD_ROWS, Locking.READS_OLD,
            FaultyDataSource.Defect.KNOWS_NO_LOCKS, Locking.LOCKS_NOTHING);

    private static final int CLAIMERS = 8;
    private static final int MESSAGES = 600;

    @TestFactory
    Stream<DynamicTest> givesNoMessageToTwoOfEightClaimersAndForgetsNone() {
        return withEach(strategy -> {
            fixture.enqueue(messages(MESSAGES));
            List<Long> all = race(i -> strategy);
            assertThat(all).hasSize(MESSAGES).doesNotHaveDuplicates();
        });
    }

    @Test
    void letsNodesWithDifferentStrategiesServeOneLane() {
        fixture.enqueue(messages(MESSAGES));
        ClaimStrategy[] every = ClaimStrategy.values();
        List<Long> all = race(i -> every[i % every.length]);
        assertThat(all).hasSize(MESSAGES).doesNotHaveDuplicates();
    }

    @TestFactory
    Stream<DynamicTest> doesNotWaitForAnAcknowledgementThatIsNotYetCommitted() {
        return withEach(strategy -> {
            fixture.enqueue(messages(3));
            ClaimedMessage first = claim(strategy, 1).messages().get(0);
            try (Connection handler = database().dataSource().getConnection()) {
                handler.setAutoCommit(false);
                QueueFixture.execute(
                        handler,
                        "DELETE FROM acidq_message WHERE queue = ? AND lane = 0 AND id = ?",
                        fixture.queueId,
                        first.claim().id());

                assertThat(QueueFixture.texts(claim(strategy, 10))).containsExactly("m1", "m2");
                handler.rollback();
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> leavesALaneToOthersWhenItsRowsStayLocked() {
        return withEach(strategy -> {
            fixture.enqueue(messages(1));
            try (Connection other = database().dataSource().getConnection()) {
                other.setAutoCommit(false);
                QueueFixture.execute(
                        other, "UPDATE acidq_message SET batch = 7 WHERE queue = ? AND lane = 0", fixture.queueId);

                assertThat(claim(strategy, 10).busy()).isTrue();
                other.rollback();
            }
            assertThat(claim(strategy, 10).messages()).hasSize(1);
        });
    }

    @TestFactory
    Stream<DynamicTest> claimsOnAServerWithoutSkipLocked() {
        return withEach(strategy -> {
            fixture.enqueue(messages(2));
            ClaimStore old = MyBatisStore.over(FaultyDataSource.that(
                            FaultyDataSource.Defect.DOES_NOT_KNOW_SKIP_LOCKED,
                            database().dataSource()))
                    .claims();

            assertThat(old.claimDue(request(strategy, 10, false)).messages()).hasSize(2);
        });
    }

    @Test
    void detectsMissingFeaturesOfAServer() {
        FOUND.forEach((defect, locking) -> {
            ServerStore server = MyBatisStore.over(
                            FaultyDataSource.that(defect, database().dataSource()))
                    .server();
            assertThat(server.probeLocking()).as(defect.name()).isEqualTo(locking);
        });
        assertThat(store.server().probeLocking()).isEqualTo(Locking.SKIPS);
    }

    @Test
    void waitsInsteadOfSkippingOnAServerWithoutSkipLocked() {
        Store odd = MyBatisStore.over(FaultyDataSource.that(
                FaultyDataSource.Defect.DOES_NOT_KNOW_SKIP_LOCKED, database().dataSource()));
        ClaimStore old = odd.claims();
        fixture.enqueueAll(0, "k", "1", "2");
        assertThatThrownBy(() -> old.claimDue(fixture.request(0, 10))).hasMessageContaining("claimDue");

        assertThat(odd.server().probeLocking()).isEqualTo(Locking.UNKNOWN);
        assertThat(QueueFixture.texts(old.claimDue(fixture.request(0, 10)))).containsExactly("1", "2");
        List<Claim> held =
                old.claimedBy(fixture.node).stream().map(h -> h.claim()).toList();
        assertThat(old.requeueIfClaimed(held, Duration.ZERO)).isEqualTo(2);
    }

    /** The ids that eight concurrent claims of lane 0 returned, each with a node of its own. */
    private List<Long> race(IntFunction<ClaimStrategy> strategies) {
        List<CompletableFuture<List<Long>>> claimers = IntStream.range(0, CLAIMERS)
                .mapToObj(i -> QueueFixture.runAsync(() -> claimUntilEmpty(fixture.newNode(), strategies.apply(i))))
                .toList();
        return claimers.stream().flatMap(c -> QueueFixture.join(c).stream()).toList();
    }

    private List<Long> claimUntilEmpty(int node, ClaimStrategy strategy) {
        List<Long> ids = new ArrayList<>();
        String free = "SELECT COUNT(*) FROM acidq_message WHERE queue = ? AND owner = 0";
        for (long number = 1; fixture.number(free, fixture.queueId) > 0; number++) {
            claims.claimDue(new ClaimRequest(fixture.queueId, 0, node, number, new Budget(10, 10, false), strategy))
                    .messages()
                    .forEach(m -> ids.add(m.claim().id()));
        }
        return ids;
    }
}
