package io.acidq.mybatis.store;

import io.acidq.store.ClaimStore.Budget;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.EnqueueStore.MessageRow;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** One test for each claim strategy that this database has, in lane 0 of a queue of its own. */
abstract class StrategyFixture extends StoreFixture {

    long batch;

    Stream<DynamicTest> withEach(Case test) {
        return strategies()
                .map(strategy -> DynamicTest.dynamicTest(strategy.name(), () -> {
                    fixture = new QueueFixture(database());
                    test.run(strategy);
                }));
    }

    private Stream<ClaimStrategy> strategies() {
        return Arrays.stream(ClaimStrategy.values())
                .filter(s -> !s.keepsOrder() && !(database().isH2() && s == ClaimStrategy.USER_VARIABLE));
    }

    MessageRow[] messages(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> fixture.message(0, null, "m" + i))
                .toArray(MessageRow[]::new);
    }

    Claimed claim(ClaimStrategy strategy, int limit) {
        return claims.claimDue(request(strategy, limit, false));
    }

    ClaimRequest request(ClaimStrategy strategy, int limit, boolean suspects) {
        return new ClaimRequest(
                fixture.queueId, 0, fixture.node, ++batch, new Budget(limit, limit, suspects), strategy);
    }

    /** A test of one strategy. */
    interface Case {
        void run(ClaimStrategy strategy) throws Exception;
    }
}
