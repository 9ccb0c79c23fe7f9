package io.acidq.mybatis.store;

import io.acidq.store.Claim;
import io.acidq.store.NodeStore.Beats;
import java.util.List;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements of liveness and rescue. */
interface NodeMapper {

    int register(NewNode node);

    int beatIfAlive(@Param("node") int node);

    List<Beats> nodes();

    int buryIfSilent(Beats silent);

    int retire(@Param("node") int node);

    @Nullable
    String workers(@Param("node") int node);

    @Nullable
    Integer lockNode(@Param("node") int node);

    List<ClaimedLane> lanesEverClaimed();

    List<Integer> owners(@Param("lanes") List<ClaimedLane> lanes);

    List<ClaimRow> claimsOf(@Param("owner") int owner, @Param("lanes") List<ClaimedLane> lanes);

    /** A lane in which messages have been claimed, up to this id. */
    record ClaimedLane(int queue, int lane, long claimedTo) {}

    /** A claim as it stands. */
    record ClaimRow(int queue, int lane, long id, int owner, int claimNo, long batch, String orderKey, int deaths) {

        Claim claim() {
            return new Claim(queue, lane, id, owner, claimNo);
        }
    }

    /** A node to be inserted; the database writes its number into it. */
    final class NewNode {

        final String workers;
        final String host;
        final String version;
        int id;

        NewNode(String workers, String host, String version) {
            this.workers = workers;
            this.host = host;
            this.version = version;
        }
    }
}
