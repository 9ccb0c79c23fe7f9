package io.acidq.mybatis.store;

import io.acidq.DeadHeadPolicy;
import io.acidq.store.Claim;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements of the other ends of a claim. */
interface EndMapper {

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
            @Param("fingerprint") byte[] fingerprint);

    int deleteIfClaimed(@Param("claim") Claim claim);

    List<Claim> lockHeld(@Param("queue") int queue, @Param("lane") int lane, @Param("ids") IdList ids);

    int requeueIfClaimed(@Param("claim") Claim claim, @Param("delayMicros") long delayMicros);

    int countCrashIfClaimed(@Param("claim") Claim claim, @Param("crashes") int crashes, @Param("free") boolean free);
}
