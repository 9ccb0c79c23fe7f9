package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Content;
import io.acidq.store.Lane;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements of claims and their endings, in {@code Claims.xml}, {@code Ends.xml}, {@code Strategies.xml} and {@code Parked.xml}. */
interface ClaimMapper {

    int recordAttempt(
            @Param("claim") Claim claim,
            @Param("startMicros") long startMicros,
            @Param("retryMicros") @Nullable Long retryMicros,
            @Param("error") String error,
            @Param("cause") byte[] cause);

    /** Returns one lane per row. */
    List<Lane> firstFree(@Param("queues") Collection<Integer> queues, @Param("limit") int limit);

    List<Lane> lanesWithWork(@Param("queues") Collection<Integer> queues);

    List<Lane> priorityLanesWithWork(@Param("queue") int queue, @Param("lanes") List<Integer> lanes);

    @Nullable
    Long lockLane(ClaimRequest lane);

    List<HeadRow> head(HeadQuery query);

    List<String> keysRunningBeyond(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("last") long last,
            @Param("claimedTo") long claimedTo);

    List<Long> lockFree(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") IdList ids);

    int claim(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("owner") int owner,
            @Param("batch") long batch,
            @Param("ids") IdList ids);

    int raiseClaimedTo(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id);

    @Nullable
    Content content(Claim claim);

    int copyIfClaimed(@Param("claim") Claim claim, @Param("retentionMicros") long retentionMicros);

    @Nullable
    Integer isHeld(Claim claim);

    int retryInPlace(
            @Param("claim") Claim claim, @Param("delayMicros") long delayMicros, @Param("uncounted") int uncounted);

    int copyToScheduled(
            @Param("claim") Claim claim, @Param("delayMicros") long delayMicros, @Param("uncounted") int uncounted);

    @Nullable
    DeadHeadPolicy onDeadHead(@Param("claim") Claim claim);

    int holdPlace(@Param("claim") Claim claim, @Param("kind") int kind);

    int copyToDead(
            @Param("claim") Claim claim,
            @Param("heldId") long heldId,
            @Param("mark") String mark,
            @Param("cause") byte[] cause);

    int deleteIfClaimed(@Param("claim") Claim claim);

    /**
     * Deletes messages of one lane.
     *
     * @param claims their ids, unique numbers, owners and claim numbers, as JSON
     */
    int ackAllIfClaimed(@Param("queue") int queue, @Param("lane") int lane, @Param("claims") String claims);

    List<Claim> lockHeld(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") IdList ids);

    int requeueIfClaimed(@Param("claim") Claim claim, @Param("delayMicros") long delayMicros);

    int countCrashIfClaimed(@Param("claim") Claim claim, @Param("crashes") int crashes, @Param("free") boolean free);

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

    List<Follower> followers(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("before") long before,
            @Param("keys") Collection<String> keys,
            @Param("limit") int limit);

    @Nullable
    Integer hasMore(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("keys") Collection<String> keys,
            @Param("than") int than);

    int copyToParked(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") List<Long> ids);

    int deleteFollowers(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") List<Long> ids);

    int makeMarker(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id);

    @Nullable
    Long firstParked(@Param("queue") int queue, @Param("key") String key);

    List<Follower> parked(@Param("queue") int queue, @Param("key") String key, @Param("limit") int limit);

    int deleteMarker(@Param("queue") int queue, @Param("lane") int lane, @Param("id") long id);

    int copyBack(@Param("queue") int queue, @Param("key") String key, @Param("ids") List<Long> ids);

    int deleteParked(@Param("queue") int queue, @Param("key") String key, @Param("ids") List<Long> ids);

    int insertMarker(@Param("queue") int queue, @Param("key") String key, @Param("id") long id);

    int waiting(
            @Param("queue") int queue,
            @Param("lane") int lane,
            @Param("id") long id,
            @Param("key") String key,
            @Param("limit") int limit);

    /**
     * The rows to read at the head of a lane.
     *
     * @param closed the ordering keys that are known to be closed
     * @param window the highest number of rows
     */
    record HeadQuery(int queue, int lane, int inlineBytes, Collection<String> closed, int window) {}

    /** The lane to read for candidates, and the highest number of rows. */
    record CandidateQuery(int queue, int lane, boolean suspects, int window) {}

    /**
     * A message that may be claimed, as a read without locks returned it.
     *
     * @param ordered   whether it has an ordering key, 1 or 0
     * @param claimedTo the highest id that its lane's claims may have; -1 when the row of the lane is missing
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
     * The free messages to claim, between two ids.
     *
     * @param suspects whether messages with crashes are allowed
     */
    record ClaimRange(int queue, int lane, int owner, long batch, long from, long to, int limit, boolean suspects) {}

    /**
     * The rows at the head of a lane from which nothing was claimed.
     *
     * @param messages the number of rows
     * @param ordered  whether any of them has an ordering key, 1 or 0
     * @param dueIn    microseconds until the first waiting one is due, or null
     */
    record LeftBehind(int messages, int ordered, @Nullable Long dueIn) {}

    /** A message of a closed ordering key, without its payload. */
    record Follower(long id, String orderingKey, int size) {}

    /**
     * Ids for an IN list. They are part of the text of the statement, because a hundred parameters cost more CPU than the rest of a claim (measured).
     * Numbers cannot inject SQL.
     */
    record IdList(List<Long> ids) {

        @Override
        public String toString() {
            return ids.stream().map(String::valueOf).collect(Collectors.joining(",", "(", ")"));
        }
    }
}
