package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.Take;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Marks rows by one UPDATE that writes their ids into a variable of the session; the transaction keeps the session to itself. */
final class UserVariableStrategy implements RowStrategy {

    @Override
    public List<HeadRow> mark(StoreTransaction transaction, Take take, List<Candidate> seen) {
        if (!transaction.has(StrategyMapper.class, "claimByVariable")) {
            throw new QueueMisuseException(
                    "claimStrategy (acidq.queues[…].claim-strategy) is USER_VARIABLE, for which this database"
                            + " has no variables of the session: choose another, BATCH_ID is the nearest");
        }
        StrategyMapper mapper = transaction.mapper(StrategyMapper.class);
        mapper.resetVariable();
        int marked = mapper.claimByVariable(take);
        List<Long> ids = ids(marked == 0 ? null : mapper.variable());
        mapper.resetVariable();
        if (ids.size() != marked) { // something between here and the server has changed the session
            transaction.rollBack();
            return List.of();
        }
        return ids.isEmpty() ? List.of() : mapper.byIds(take, ids);
    }

    private static List<Long> ids(@Nullable String collected) {
        return collected == null
                ? List.of()
                : Stream.of(collected.split(",")).map(Long::valueOf).sorted().toList();
    }
}
