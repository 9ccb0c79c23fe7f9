package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.Take;
import io.acidq.store.ClaimStrategy;
import java.util.List;

/** A way to mark free messages of a lane, each in order of the ids, so that two of them never wait for each other in a ring. */
@FunctionalInterface
interface RowStrategy {

    /**
     * Marks messages, some of which others may take meanwhile.
     *
     * @param seen what a plain read has just seen free there
     * @return the marked messages, as they were before
     */
    List<HeadRow> mark(StoreTransaction transaction, Take take, List<Candidate> seen);

    static RowStrategy of(ClaimStrategy strategy) {
        return switch (strategy) {
            case FOR_UPDATE -> new ForUpdateStrategy();
            case OPTIMISTIC -> new OptimisticStrategy();
            case BATCH_ID -> new BatchIdStrategy();
            case USER_VARIABLE -> new UserVariableStrategy();
            case LANES -> throw new IllegalArgumentException("claims by lanes mark no single rows");
        };
    }
}
