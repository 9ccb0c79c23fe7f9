package io.acidq.mybatis.store;

import io.acidq.mybatis.store.LaneClaim.HeadRow;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore.ClaimRequest;
import io.acidq.store.ClaimStore.Content;
import io.acidq.store.Lane;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements of claim and acknowledgement. */
interface ClaimMapper {

    /** One for each row. */
    List<Lane> firstFree(@Param("queues") Collection<Integer> queues, @Param("limit") int limit);

    List<Lane> lanesWithWork(@Param("queues") Collection<Integer> queues);

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

    @Nullable
    Integer isHeld(Claim claim);

    /**
     * Which rows of a lane's head to read.
     *
     * @param closed ordering keys that are known to be closed
     * @param window at most this many rows
     */
    record HeadQuery(int queue, int lane, int inlineBytes, Collection<String> closed, int window) {}
}
