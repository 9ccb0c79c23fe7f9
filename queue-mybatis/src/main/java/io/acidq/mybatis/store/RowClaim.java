package io.acidq.mybatis.store;

import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.LeftBehind;
import io.acidq.mybatis.store.StrategyMapper.Look;
import io.acidq.mybatis.store.StrategyMapper.Take;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import java.util.List;

/**
 * A claim of single rows without ordering keys, by one of the strategies: one transaction that looks where free messages are, sees to it that
 * the lane's claimed_to is not below them, and marks some. Order of locks as in {@link ClaimTransaction}: lane, then rows.
 */
final class RowClaim {

    /** How many more rows than wanted are looked at: so far others may take what was seen, and so seldom the lane is locked. */
    private static final int AHEAD = 4;

    private static final int MORE = 32;
    private static final int GROWTH = 4;
    private static final int PASSES = 5;

    private final StoreTransaction transaction;
    private final StrategyMapper mapper;
    private final ClaimRequest request;
    private boolean ordered;
    private boolean full;

    RowClaim(StoreTransaction transaction, ClaimRequest request) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(StrategyMapper.class);
        this.request = request;
    }

    Claimed claim() {
        List<Candidate> seen = look();
        if (seen.isEmpty()) {
            transaction.rollBack();
            LeftBehind left = mapper.leftBehind(request);
            boolean any = ordered || left.ordered() == 1;
            return new Claimed(List.of(), left.messages() > 0, Micros.duration(left.dueIn()), false, any);
        }
        List<Candidate> candidates = aloneOrWithoutSuspects(seen);
        List<HeadRow> rows = RowStrategy.of(request.strategy()).mark(transaction, take(candidates), candidates);
        if (rows.isEmpty()) {
            transaction.rollBack(); // others were quicker
        }
        LeftBehind left = full || ordered || rows.size() < seen.size() ? null : mapper.leftBehind(request);
        return new Claimed(
                rows.stream().map(r -> r.claimedBy(request)).toList(),
                left == null || left.messages() > 0,
                left == null ? null : Micros.duration(left.dueIn()),
                false,
                ordered);
    }

    /** Looks farther when all that it sees has ordering keys; not to the end of the lane, which others have to clear first. */
    private List<Candidate> look() {
        int window = request.budget().messages() * AHEAD + MORE;
        for (int pass = 1; ; pass++, window *= GROWTH) {
            List<Candidate> all = mapper.look(
                    new Look(request.queue(), request.lane(), request.budget().suspects(), window));
            List<Candidate> free = all.stream().filter(c -> !c.isOrdered()).toList();
            ordered |= free.size() < all.size();
            full = all.size() == window;
            if (!free.isEmpty() || !full || pass == PASSES) {
                return free;
            }
        }
    }

    private static List<Candidate> aloneOrWithoutSuspects(List<Candidate> seen) {
        return seen.get(0).isSuspect()
                ? seen.subList(0, 1)
                : seen.stream().filter(c -> !c.isSuspect()).toList();
    }

    /**
     * No claim may lie beyond claimed_to, or nobody would find it again. It is raised before any row is locked, and farther than this claim
     * needs: to raise it with each would line all claimers of the lane up behind the lane's lock.
     */
    private Take take(List<Candidate> candidates) {
        Candidate first = candidates.get(0);
        int limit = first.isSuspect() ? 1 : request.budget().messages();
        long enough = candidates.get(Math.min(limit, candidates.size()) - 1).id();
        long to = candidates.get(candidates.size() - 1).id();
        if (first.claimedTo() < enough) {
            transaction.mapper(ClaimMapper.class).raiseClaimedTo(request.queue(), request.lane(), to);
        } else {
            to = Math.min(to, first.claimedTo());
        }
        return new Take(
                request.queue(),
                request.lane(),
                request.owner(),
                request.batch(),
                first.id(),
                to,
                limit,
                first.isSuspect());
    }
}
