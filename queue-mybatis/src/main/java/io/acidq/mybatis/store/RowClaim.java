package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.mybatis.store.StrategyMapper.Candidate;
import io.acidq.mybatis.store.StrategyMapper.CandidateQuery;
import io.acidq.mybatis.store.StrategyMapper.ClaimRange;
import io.acidq.mybatis.store.StrategyMapper.LeftBehind;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A claim of single rows without ordering keys, by one of the strategies other than lanes: one transaction that looks where free messages are, sees to it that
 * the lane's claimed_to is not below them, and marks some. Order of locks as in {@link LaneClaim}: lane, then rows.
 */
final class RowClaim {

    /** Rows that are looked at for each one wanted: others may take some of them, and the farther a claim looks, the more seldom it locks the lane. */
    private static final int CANDIDATES_PER_MESSAGE = 4;

    private static final int EXTRA_CANDIDATES = 32;
    private static final int GROWTH = 4;
    private static final int MAX_PASSES = 5;

    private final StoreTransaction transaction;
    private final StrategyMapper mapper;
    private final ClaimRequest request;
    private boolean skippedOrdered;
    private boolean full;

    RowClaim(StoreTransaction transaction, ClaimRequest request) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(StrategyMapper.class);
        this.request = request;
    }

    Claimed claim() {
        List<Candidate> seen = findCandidates();
        if (seen.isEmpty()) {
            transaction.setRollbackOnly();
            LeftBehind left = mapper.leftBehind(request);
            boolean any = skippedOrdered || left.ordered() == 1;
            return new Claimed(List.of(), left.messages() > 0, Micros.duration(left.dueIn()), false, any);
        }
        List<Candidate> candidates = aloneOrWithoutSuspects(seen);
        List<HeadRow> rows = claimByStrategy(claimRange(candidates), candidates);
        if (rows.isEmpty()) {
            transaction.setRollbackOnly(); // others were quicker
        }
        LeftBehind left = full || skippedOrdered || rows.size() < seen.size() ? null : mapper.leftBehind(request);
        return new Claimed(
                rows.stream().map(r -> r.toClaimedMessage(request)).toList(),
                left == null || left.messages() > 0,
                left == null ? null : Micros.duration(left.dueIn()),
                false,
                skippedOrdered);
    }

    /** Looks farther when all that it sees has ordering keys; not to the end of the lane, which others have to clear first. */
    private List<Candidate> findCandidates() {
        int window = request.budget().messages() * CANDIDATES_PER_MESSAGE + EXTRA_CANDIDATES;
        for (int pass = 1; ; pass++, window *= GROWTH) {
            List<Candidate> all = mapper.findCandidates(new CandidateQuery(
                    request.queue(), request.lane(), request.budget().allowsSuspects(), window));
            List<Candidate> free = all.stream().filter(c -> !c.isOrdered()).toList();
            skippedOrdered |= free.size() < all.size();
            full = all.size() == window;
            if (!free.isEmpty() || !full || pass == MAX_PASSES) {
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
     * No claim may lie beyond claimed_to, or no search for claims would find it again. It is raised before any row is locked, and farther than this claim
     * needs: to raise it with each would line all claimers of the lane up behind the lane's lock.
     */
    private ClaimRange claimRange(List<Candidate> candidates) {
        Candidate first = candidates.get(0);
        int limit = first.isSuspect() ? 1 : request.budget().messages();
        long enough = candidates.get(Math.min(limit, candidates.size()) - 1).id();
        long to = candidates.get(candidates.size() - 1).id();
        if (first.claimedTo() < enough) {
            transaction.mapper(ClaimMapper.class).raiseClaimedTo(request.queue(), request.lane(), to);
        } else {
            to = Math.min(to, first.claimedTo());
        }
        return new ClaimRange(
                request.queue(),
                request.lane(),
                request.owner(),
                request.batch(),
                first.id(),
                to,
                limit,
                first.isSuspect());
    }

    /**
     * Marks messages, in order of the ids, so that two claims never wait for each other in a ring. Others may take some of them meanwhile.
     *
     * @param seen what a plain read has just seen free there
     * @return the marked messages, as they were before
     */
    private List<HeadRow> claimByStrategy(ClaimRange claimRange, List<Candidate> seen) {
        return switch (request.strategy()) {
            case FOR_UPDATE -> claimLocked(claimRange);
            case OPTIMISTIC -> claimUnchanged(claimRange, seen);
            case BATCH_ID -> mapper.claimByBatch(claimRange) == 0 ? List.of() : mapper.byBatch(claimRange);
            case USER_VARIABLE -> claimByVariable(claimRange);
            case LANES -> throw new IllegalArgumentException("claims by lanes mark no single rows");
        };
    }

    /** Locks the rows by reading them, then marks them. */
    private List<HeadRow> claimLocked(ClaimRange claimRange) {
        List<HeadRow> rows = mapper.lockReady(claimRange);
        if (rows.isEmpty()) {
            return rows;
        }
        IdList ids = new IdList(rows.stream().map(HeadRow::id).toList());
        int marked = transaction
                .mapper(ClaimMapper.class)
                .claim(claimRange.queue(), claimRange.lane(), claimRange.owner(), claimRange.batch(), ids);
        if (marked != rows.size()) { // a server whose FOR UPDATE locks nothing
            transaction.setRollbackOnly();
            return List.of();
        }
        return rows;
    }

    /** Marks each row that was seen free by a statement of its own, whose count tells whether the race was won. */
    private List<HeadRow> claimUnchanged(ClaimRange claimRange, List<Candidate> seen) {
        List<Long> won = seen.stream()
                .limit(claimRange.limit())
                .filter(row -> mapper.claimIfUnchanged(claimRange, row) == 1)
                .map(Candidate::id)
                .toList();
        return won.isEmpty() ? List.of() : mapper.byIds(claimRange, won);
    }

    /** Marks rows by one UPDATE that writes their ids into a variable of the session; the transaction keeps the session to itself. */
    private List<HeadRow> claimByVariable(ClaimRange claimRange) {
        if (!transaction.hasStatement(StrategyMapper.class, "claimByVariable")) {
            throw new QueueMisuseException(
                    "claimStrategy (acidq.queues[…].claim-strategy) is USER_VARIABLE, for which this database"
                            + " has no variables of the session: choose another, BATCH_ID is the nearest");
        }
        mapper.resetVariable();
        int marked = mapper.claimByVariable(claimRange);
        List<Long> ids = idsIn(marked == 0 ? null : mapper.variable());
        mapper.resetVariable();
        if (ids.size() != marked) { // something between here and the server has changed the session
            transaction.setRollbackOnly();
            return List.of();
        }
        return ids.isEmpty() ? List.of() : mapper.byIds(claimRange, ids);
    }

    private static List<Long> idsIn(@Nullable String collected) {
        return collected == null
                ? List.of()
                : Stream.of(collected.split(",")).map(Long::valueOf).sorted().toList();
    }
}
