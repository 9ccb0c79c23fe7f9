package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.mybatis.store.NodeMapper.ClaimRow;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.Claim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The endings of claims other than the acknowledgement, as steps of a short transaction that the caller has begun. */
final class ClaimEndings {

    /** Claims in one statement. */
    private static final int CLAIMS_PER_STATEMENT = 500;

    private static final Comparator<Claim> BY_PRIMARY_KEY =
            Comparator.comparingInt(Claim::queue).thenComparingInt(Claim::lane).thenComparingLong(Claim::id);

    private final EndMapper mapper;

    ClaimEndings(EndMapper mapper) {
        this.mapper = mapper;
    }

    /** In its place; uncounted is how many of its attempts are given back. */
    boolean retryInPlace(Claim claim, long delayMicros, int uncounted) {
        return mapper.retryInPlace(claim, delayMicros, uncounted) == 1;
    }

    /** False when the claim was lost; the transaction must then be rolled back. */
    boolean schedule(Claim claim, long delayMicros, int uncounted) {
        return mapper.copyToScheduled(claim, delayMicros, uncounted) == 1 && mapper.deleteIfClaimed(claim) == 1;
    }

    /** False when the claim was lost; the transaction must then be rolled back. */
    boolean deadLetter(Claim claim, ErrorText error) {
        DeadHeadPolicy policy = mapper.onDeadHead(claim);
        if (policy == null) {
            return false;
        }
        int marker = HeadRow.holdMarker(policy);
        long heldId = marker == HeadRow.MESSAGE ? 0 : claim.id();
        return mapper.copyToDead(claim, heldId, error.text(), error.fingerprint()) == 1
                && (heldId == 0 ? mapper.deleteIfClaimed(claim) : mapper.holdPlace(claim, marker)) == 1;
    }

    boolean delete(Claim claim) {
        return mapper.deleteIfClaimed(claim) == 1;
    }

    boolean free(Claim claim, int crashes) {
        return mapper.countCrashIfClaimed(claim, crashes, true) == 1;
    }

    boolean countCrash(Claim claim, int crashes) {
        return mapper.countCrashIfClaimed(claim, crashes, false) == 1;
    }

    int requeue(Collection<Claim> claims, long delayMicros) {
        return lock(claims).stream()
                .mapToInt(c -> mapper.requeueIfClaimed(c, delayMicros))
                .sum();
    }

    /** Those of the claims that still stand so, in order of the primary key, locked now; what others have locked is left out. */
    List<Claim> lock(Collection<Claim> claims) {
        List<Claim> locked = new ArrayList<>();
        chunksByLane(claims).forEach(piece -> locked.addAll(lockInLane(piece)));
        return locked;
    }

    /** Claims as one statement after the other takes them: each of one lane, all in order of the primary key. */
    static List<List<Claim>> chunksByLane(Collection<Claim> claims) {
        List<Claim> sorted = claims.stream().sorted(BY_PRIMARY_KEY).toList();
        List<List<Claim>> pieces = new ArrayList<>();
        for (int from = 0; from < sorted.size(); ) {
            int end = from + 1;
            while (end < sorted.size()
                    && end - from < CLAIMS_PER_STATEMENT
                    && isSameLane(sorted.get(from), sorted.get(end))) {
                end++;
            }
            pieces.add(sorted.subList(from, end));
            from = end;
        }
        return pieces;
    }

    private static boolean isSameLane(Claim one, Claim other) {
        return one.queue() == other.queue() && one.lane() == other.lane();
    }

    private List<Claim> lockInLane(List<Claim> piece) {
        Claim first = piece.get(0);
        List<Claim> held = mapper.lockHeld(
                first.queue(),
                first.lane(),
                new IdList(piece.stream().map(Claim::id).toList()));
        return piece.stream().filter(held::contains).toList();
    }

    /** The claims of nodes, read from the parts of the lanes where claims can be. What is claimed between the two reads is seen the next time. */
    static final class OwnedClaims {

        /** Ranges in one statement: four queues' lanes. */
        private static final int LANES_PER_STATEMENT = 256;

        private final NodeMapper mapper;

        OwnedClaims(NodeMapper mapper) {
            this.mapper = mapper;
        }

        Set<Integer> owners() {
            return new TreeSet<>(read(mapper::owners));
        }

        List<ClaimRow> claimsOf(int owner) {
            return read(lanes -> mapper.claimsOf(owner, lanes));
        }

        private <R> List<R> read(Function<List<ClaimedLane>, List<R>> statement) {
            List<ClaimedLane> lanes = mapper.lanesEverClaimed();
            List<R> found = new ArrayList<>();
            for (int from = 0; from < lanes.size(); from += LANES_PER_STATEMENT) {
                found.addAll(statement.apply(lanes.subList(from, Math.min(from + LANES_PER_STATEMENT, lanes.size()))));
            }
            return found;
        }
    }
}
