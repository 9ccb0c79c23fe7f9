package io.acidq.mybatis.store;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.ClaimMapper.Candidate;
import io.acidq.mybatis.store.ClaimMapper.CandidateQuery;
import io.acidq.mybatis.store.ClaimMapper.ClaimRange;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.mybatis.store.ClaimMapper.LeftBehind;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Claimed;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A claim of single messages without ordering keys, by one of the strategies other than lanes. One transaction reads which messages are free, raises
 * claimed_to of the lane above them if necessary, and marks some of them. Lock order as in {@link LaneClaim}: lane, then messages.
 */
final class RowClaim {

    /** Rows to read per wanted message: other claims may take some of them, and the more rows a claim reads, the less often it locks the lane. */
    private static final int CANDIDATES_PER_MESSAGE = 4;

    private static final int EXTRA_CANDIDATES = 32;
    private static final int GROWTH = 4;
    private static final int MAX_PASSES = 5;

    private final StoreTransaction transaction;
    private final ClaimMapper mapper;
    private final ClaimRequest request;
    private boolean skippedOrdered;
    private boolean full;

    RowClaim(StoreTransaction transaction, ClaimRequest request) {
        this.transaction = transaction;
        this.mapper = transaction.mapper(ClaimMapper.class);
        this.request = request;
    }

    Claimed claim() {
        List<Candidate> seen = findCandidates();
        if (seen.isEmpty()) {
            transaction.setRollbackOnly();
            LeftBehind left = mapper.leftBehind(request);
            boolean any = skippedOrdered || left.ordered() == 1;
            return new Claimed(List.of(), left.messages() > 0, Microseconds.duration(left.dueIn()), false, any);
        }
        if (seen.get(0).claimedTo() < 0) { // the row of the lane is lost: a claim would be found by no search
            transaction.setRollbackOnly();
            return Claimed.BUSY;
        }
        List<Candidate> candidates = aloneOrWithoutSuspects(seen);
        List<HeadRow> rows = claimByStrategy(claimRange(candidates), candidates);
        if (rows.isEmpty()) {
            transaction.setRollbackOnly(); // other claims have taken all of them
        }
        LeftBehind left = full || skippedOrdered || rows.size() < seen.size() ? null : mapper.leftBehind(request);
        return new Claimed(
                rows.stream().map(r -> r.toClaimedMessage(request)).toList(),
                left == null || left.messages() > 0,
                left == null ? null : Microseconds.duration(left.dueIn()),
                false,
                skippedOrdered);
    }

    /** Reads more rows if all have ordering keys, but not up to the end of the lane: the lanes strategy has to process these messages first.  */
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
     * Returns the range to claim from. No claim may have an id above claimed_to, because searches for claims read only up to it. It is raised before any
     * message is locked, and further than this claim needs: raising it with each claim would make all claims of the lane wait for its lock.
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
     * Marks messages in the order of their ids, so that two claims do not deadlock. Other claims may take some of the candidates at the same time.
     *
     * @param seen the messages that a read without locks has found free
     * @return the marked messages as they were before
     */
    private List<HeadRow> claimByStrategy(ClaimRange claimRange, List<Candidate> seen) {
        return switch (request.strategy()) {
            case FOR_UPDATE -> claimLocked(claimRange);
            case OPTIMISTIC -> claimUnchanged(claimRange, seen);
            case BATCH_ID -> mapper.claimByBatch(claimRange) == 0 ? List.of() : mapper.byBatch(claimRange);
            case USER_VARIABLE -> claimByVariable(claimRange);
            case LANES -> throw new IllegalArgumentException("the lanes strategy does not claim single rows");
        };
    }

    /** Locks the rows with a locking read, then marks them. */
    private List<HeadRow> claimLocked(ClaimRange claimRange) {
        List<HeadRow> rows = mapper.lockReady(claimRange);
        if (rows.isEmpty()) {
            return rows;
        }
        IdList ids = new IdList(rows.stream().map(HeadRow::id).toList());
        int marked = transaction
                .mapper(ClaimMapper.class)
                .claim(claimRange.queue(), claimRange.lane(), claimRange.owner(), claimRange.batch(), ids);
        if (marked != rows.size()) { // the FOR UPDATE of this server locks nothing
            transaction.setRollbackOnly();
            return List.of();
        }
        return rows;
    }

    /** Marks each free row with a statement of its own, whose update count shows whether another claim was faster. */
    private List<HeadRow> claimUnchanged(ClaimRange claimRange, List<Candidate> seen) {
        List<Long> won = seen.stream()
                .limit(claimRange.limit())
                .filter(row -> mapper.claimIfUnchanged(claimRange, row) == 1)
                .map(Candidate::id)
                .toList();
        return won.isEmpty() ? List.of() : mapper.byIds(claimRange, won);
    }

    /** Marks rows with one UPDATE that collects their ids in a variable of the session, which only this transaction uses. */
    private List<HeadRow> claimByVariable(ClaimRange claimRange) {
        if (!transaction.hasStatement(ClaimMapper.class, "claimByVariable")) {
            throw new QueueMisuseException(
                    "claimStrategy (acidq.queues[…].claim-strategy) is USER_VARIABLE, but this database"
                            + " has no session variables: choose another strategy; BATCH_ID is the most similar");
        }
        mapper.resetVariable();
        int marked = mapper.claimByVariable(claimRange);
        List<Long> ids = idsIn(marked == 0 ? null : mapper.variable());
        mapper.resetVariable();
        if (ids.size() != marked) { // a proxy between this process and the server has changed the session
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
