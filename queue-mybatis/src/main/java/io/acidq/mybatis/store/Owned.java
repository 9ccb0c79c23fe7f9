package io.acidq.mybatis.store;

import io.acidq.mybatis.store.NodeMapper.ClaimRow;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Who owns what, read from the parts of the lanes where claims can be. What is claimed between the two reads is seen the next time.
 */
final class Owned {

    /** Ranges in one statement: four queues' lanes. */
    private static final int LANES = 256;

    private final NodeMapper mapper;

    Owned(NodeMapper mapper) {
        this.mapper = mapper;
    }

    Set<Integer> owners() {
        return new TreeSet<>(read(mapper::owners));
    }

    List<ClaimRow> by(int owner) {
        return read(lanes -> mapper.claimsOf(owner, lanes));
    }

    private <R> List<R> read(Function<List<ClaimedLane>, List<R>> statement) {
        List<ClaimedLane> lanes = mapper.lanesEverClaimed();
        List<R> found = new ArrayList<>();
        for (int from = 0; from < lanes.size(); from += LANES) {
            found.addAll(statement.apply(lanes.subList(from, Math.min(from + LANES, lanes.size()))));
        }
        return found;
    }
}
