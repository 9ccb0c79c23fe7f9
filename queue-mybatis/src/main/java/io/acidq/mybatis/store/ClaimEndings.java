package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.Receipt;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.store.ClaimMapper.IdList;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.mybatis.store.NodeMapper.ClaimRow;
import io.acidq.mybatis.store.NodeMapper.ClaimedLane;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.FailedAttempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The endings of claims except the acknowledgement, as steps of a short transaction of the caller. */
final class ClaimEndings {

    /** The size of the column of the error of an attempt. */
    private static final int ATTEMPT_CHARS = 2_000;

    /** The highest number of claims in one statement. */
    private static final int CLAIMS_PER_STATEMENT = 500;

    static final Comparator<Claim> BY_PRIMARY_KEY =
            Comparator.comparingInt(Claim::queue).thenComparingInt(Claim::lane).thenComparingLong(Claim::id);

    private final ClaimMapper mapper;
    private final CancelMapper cancels;
    private final ReceiptEndings receipts;

    ClaimEndings(StoreTransaction transaction) {
        this.mapper = transaction.mapper(ClaimMapper.class);
        this.cancels = transaction.mapper(CancelMapper.class);
        this.receipts = new ReceiptEndings(transaction.mapper(ReceiptMapper.class));
    }

    /**
     * Whether an operator has asked to cancel the message. Called after a statement that has locked its row, which a request locks too: a request is either seen
     * here, or finds the message freed.
     */
    boolean isCancelRequested(Claim claim) {
        return !cancels.requestedOf(List.of(claim.uid())).isEmpty();
    }

    /** Returns the messages of these locked claims that operators have asked to cancel. */
    Set<UUID> cancelRequested(Collection<Claim> locked) {
        return locked.isEmpty()
                ? Set.of()
                : Set.copyOf(cancels.requestedOf(locked.stream().map(Claim::uid).toList()));
    }

    /**
     * Records a failed attempt.
     *
     * @param retryMicros when the message is to run again; null for a dead letter
     */
    void record(Claim claim, @Nullable FailedAttempt attempt, @Nullable Long retryMicros) {
        if (attempt != null) {
            ErrorText error = ErrorText.of(attempt.error(), ATTEMPT_CHARS);
            mapper.recordAttempt(claim, -Microseconds.of(attempt.took()), retryMicros, error.text(), error.cause());
        }
    }

    /** Leaves the message in its place. {@code uncounted} is the number of attempts to subtract. */
    boolean retryInPlace(Claim claim, long delayMicros, int uncounted) {
        return mapper.retryInPlace(claim, delayMicros, uncounted) == 1;
    }

    /** Returns false if the claim is lost; the caller must then roll back. */
    boolean schedule(Claim claim, long delayMicros, int uncounted) {
        return mapper.copyToScheduled(claim, delayMicros, uncounted) == 1 && mapper.deleteIfClaimed(claim) == 1;
    }

    /** Returns false if the claim is lost; the caller must then roll back. */
    boolean deadLetter(Claim claim, ErrorText error) {
        DeadHeadPolicy policy = mapper.onDeadHead(claim);
        if (policy == null) {
            return false;
        }
        int marker = HeadRow.holdMarker(policy);
        long heldId = marker == HeadRow.MESSAGE ? 0 : claim.id();
        boolean dead = mapper.copyToDead(claim, heldId, error.text(), error.cause()) == 1
                && (heldId == 0 ? mapper.deleteIfClaimed(claim) : mapper.holdPlace(claim, marker)) == 1;
        if (dead) {
            receipts.end(List.of(claim.uid()), Receipt.State.DEAD);
        }
        return dead;
    }

    /** Ends a message without a dead letter. */
    boolean delete(Claim claim, Receipt.State state) {
        boolean deleted = mapper.deleteIfClaimed(claim) == 1;
        if (deleted) {
            receipts.end(List.of(claim.uid()), state);
        }
        return deleted;
    }

    /**
     * Ends messages without dead letters. Returns false if one of the claims is lost; the caller must then roll back.
     *
     * @param together whether the server has the statement for the claims of one lane
     */
    boolean deleteAll(Collection<Claim> claims, Receipt.State state, boolean together) {
        for (List<Claim> chunk : chunksByLane(claims)) {
            Claim first = chunk.get(0);
            int deleted = together
                    ? mapper.ackAllIfClaimed(first.queue(), first.lane(), MyBatisClaimStore.json(chunk))
                    : chunk.stream().mapToInt(mapper::deleteIfClaimed).sum();
            if (deleted != chunk.size()) {
                return false;
            }
        }
        receipts.end(claims.stream().map(Claim::uid).toList(), state);
        return true;
    }

    boolean free(Claim claim, int crashes) {
        return mapper.countCrashIfClaimed(claim, crashes, true) == 1;
    }

    boolean countCrash(Claim claim, int crashes) {
        return mapper.countCrashIfClaimed(claim, crashes, false) == 1;
    }

    /** Frees the messages, or deletes those that operators have asked to cancel. Returns the number of both. */
    int requeue(Collection<Claim> claims, long delayMicros) {
        List<Claim> locked = lock(claims);
        Set<UUID> requested = cancelRequested(locked);
        return locked.stream()
                .mapToInt(c -> requested.contains(c.uid())
                        ? (delete(c, Receipt.State.CANCELLED) ? 1 : 0)
                        : mapper.requeueIfClaimed(c, delayMicros))
                .sum();
    }

    /** Locks the claims that are still held, in the order of the primary key, and returns them. Skips rows that other transactions have locked. */
    List<Claim> lock(Collection<Claim> claims) {
        List<Claim> locked = new ArrayList<>();
        chunksByLane(claims).forEach(chunk -> locked.addAll(lockInLane(chunk)));
        return locked;
    }

    /** Splits claims into one list per statement, each of one lane, in the order of the primary key. */
    static List<List<Claim>> chunksByLane(Collection<Claim> claims) {
        List<Claim> sorted = claims.stream().sorted(BY_PRIMARY_KEY).toList();
        List<List<Claim>> chunks = new ArrayList<>();
        for (int from = 0; from < sorted.size(); ) {
            int end = from + 1;
            while (end < sorted.size()
                    && end - from < CLAIMS_PER_STATEMENT
                    && isSameLane(sorted.get(from), sorted.get(end))) {
                end++;
            }
            chunks.add(sorted.subList(from, end));
            from = end;
        }
        return chunks;
    }

    private static boolean isSameLane(Claim one, Claim other) {
        return one.queue() == other.queue() && one.lane() == other.lane();
    }

    private List<Claim> lockInLane(List<Claim> chunk) {
        Claim first = chunk.get(0);
        List<Claim> held = mapper.lockHeld(
                first.queue(),
                first.lane(),
                new IdList(chunk.stream().map(Claim::id).toList()));
        return chunk.stream().filter(held::contains).toList();
    }

    /**
     * Reads the claims of nodes. First it reads up to which id each lane was ever claimed, then only the rows up to there. A claim that is made between the two
     * reads is found the next time.
     */
    static final class OwnedClaims {

        /** The highest number of ranges in one statement: the lanes of four queues. */
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
