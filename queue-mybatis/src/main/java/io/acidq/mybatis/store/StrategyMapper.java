package io.acidq.mybatis.store;

import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.ClaimStore.ClaimRequest;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements of the claim strategies beside the lanes. */
interface StrategyMapper {

    List<Candidate> findCandidates(CandidateQuery look);

    List<HeadRow> lockReady(ClaimRange take);

    int claimIfUnchanged(@Param("take") ClaimRange take, @Param("seen") Candidate seen);

    int claimByBatch(ClaimRange take);

    int claimByVariable(ClaimRange take);

    int resetVariable();

    @Nullable
    String variable();

    List<HeadRow> byBatch(ClaimRange take);

    List<HeadRow> byIds(@Param("take") ClaimRange take, @Param("ids") List<Long> ids);

    LeftBehind leftBehind(ClaimRequest lane);

    int hasOrdered(@Param("queue") int queue);

    /** Where to look, and how far. */
    record CandidateQuery(int queue, int lane, boolean suspects, int window) {}

    /**
     * A message that may be claimed, as a plain read saw it.
     *
     * @param ordered   whether it has an ordering key, 1 or 0
     * @param claimedTo the highest id that its lane's claims may have
     */
    record Candidate(long id, int claimNo, int crashes, int ordered, long claimedTo) {

        boolean isOrdered() {
            return ordered == 1;
        }

        boolean isSuspect() {
            return crashes > 0;
        }
    }

    /**
     * What to take: free messages between two ids.
     *
     * @param suspects whether one with crashes may be among them
     */
    record ClaimRange(int queue, int lane, int owner, long batch, long from, long to, int limit, boolean suspects) {}

    /**
     * What a lane holds that nothing could be taken from.
     *
     * @param messages how many rows, of the first ones
     * @param ordered  whether any of them has an ordering key, 1 or 0
     * @param dueIn    microseconds until the first waiting one is due, or null
     */
    record LeftBehind(int messages, int ordered, @Nullable Long dueIn) {}
}
