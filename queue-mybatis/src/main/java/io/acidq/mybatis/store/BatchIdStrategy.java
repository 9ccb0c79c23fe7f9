package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.Take;
import java.util.List;

/** Marks rows by one UPDATE, and finds them by the node and its running number, which no other claim has. */
final class BatchIdStrategy implements RowStrategy {

    @Override
    public List<HeadRow> mark(StoreTransaction transaction, Take take, List<Candidate> seen) {
        StrategyMapper mapper = transaction.mapper(StrategyMapper.class);
        return mapper.claimByBatch(take) == 0 ? List.of() : mapper.byBatch(take);
    }
}
