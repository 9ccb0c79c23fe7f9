package io.acidq.mybatis.store;

import io.acidq.MessageId;
import io.acidq.mybatis.store.QueueMapper.NumberAndName;
import io.acidq.store.Claim;
import io.acidq.store.NodeStore.Crash;
import io.acidq.store.NodeStore.NodeHeartbeats;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on nodes: registration, heartbeats and the rescue of claims. */
interface NodeMapper {

    int register(NewNode node);

    int heartbeatIfAlive(@Param("node") int node, @Param("process") UUID process);

    int isRegistered(@Param("node") int node, @Param("process") UUID process);

    int updateWorkersIfAlive(@Param("node") int node, @Param("process") UUID process, @Param("workers") String workers);

    List<NodeHeartbeats> livingNodes();

    int declareDeadIfSilent(NodeHeartbeats silent);

    int markStopped(@Param("node") int node, @Param("process") UUID process);

    EndedNode ended(@Param("node") int node);

    @Nullable
    Integer lockNode(@Param("node") int node);

    int writeReport(@Param("node") int node, @Param("body") byte[] body);

    int removeReport(@Param("node") int node);

    List<ClaimedLane> lanesEverClaimed();

    List<Integer> owners(@Param("lanes") List<ClaimedLane> lanes);

    List<ClaimRow> claimsOf(@Param("owner") int owner, @Param("lanes") List<ClaimedLane> lanes);

    List<NumberAndName> queueNames(@Param("queues") Set<Integer> queues);

    List<CrashRow> crashesOf(@Param("uids") Collection<UUID> uids);

    int insertCrash(@Param("id") MessageId id, @Param("queue") int queue, @Param("crash") Crash crash);

    int deleteCrashes(@Param("uid") UUID uid);

    /**
     * A node whose claims are rescued. All but the time is null if the row of the node no longer exists.
     *
     * @param at      the current time
     * @param workers the text of the column
     */
    record EndedNode(
            Instant at,
            @Nullable String workers,
            @Nullable String host,
            @Nullable String state) {}

    /** A crash that is counted for a message. */
    record CrashRow(UUID uid, Instant countedAt, int node, String host) {

        Crash crash() {
            return new Crash(node, host, countedAt);
        }
    }

    /** A lane with the highest id that has been claimed in it. */
    record ClaimedLane(int queue, int lane, long claimedTo) {}

    /** A claimed message. */
    record ClaimRow(
            int queue,
            int lane,
            long id,
            UUID uid,
            int owner,
            int claimNo,
            long batch,
            String orderingKey,
            int crashes,
            boolean expired) {

        Claim claim() {
            return new Claim(queue, lane, id, uid, owner, claimNo);
        }
    }

    /** A node to be inserted. MyBatis sets the generated id. */
    final class NewNode {

        final UUID process;
        final String workers;
        final String host;
        final String version;
        int id;

        NewNode(UUID process, String workers, String host, String version) {
            this.process = process;
            this.workers = workers;
            this.host = host;
            this.version = version;
        }
    }
}
