package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.Take;
import java.util.List;

/** Locks the rows by reading them, then marks them. */
final class ForUpdateStrategy implements RowStrategy {

    @Override
    public List<HeadRow> mark(StoreTransaction transaction, Take take, List<Candidate> seen) {
        List<HeadRow> rows = transaction.mapper(StrategyMapper.class).lockReady(take);
        if (rows.isEmpty()) {
            return rows;
        }
        Ids ids = new Ids(rows.stream().map(HeadRow::id).toList());
        int marked =
                transaction.mapper(ClaimMapper.class).claim(take.queue(), take.lane(), take.owner(), take.batch(), ids);
        if (marked != rows.size()) { // a server whose FOR UPDATE locks nothing
            transaction.rollBack();
            return List.of();
        }
        return rows;
    }
}
