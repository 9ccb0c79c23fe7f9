package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.Take;
import java.util.List;

/** Marks each row that was seen free by a statement of its own, whose count tells whether the race was won. */
final class OptimisticStrategy implements RowStrategy {

    @Override
    public List<HeadRow> mark(StoreTransaction transaction, Take take, List<Candidate> seen) {
        StrategyMapper mapper = transaction.mapper(StrategyMapper.class);
        List<Long> won = seen.stream()
                .limit(take.limit())
                .filter(row -> mapper.claimIfUnchanged(take, row) == 1)
                .map(Candidate::id)
                .toList();
        return won.isEmpty() ? List.of() : mapper.byIds(take, won);
    }
}
