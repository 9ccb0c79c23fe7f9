package io.acidq.chaos.audit;

import io.acidq.chaos.role.Deed;
import io.acidq.chaos.role.Journal.Phase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that is known of one errand. Confined to the auditor's thread. */
final class Story {

    final String key;
    final @Nullable String lane;
    final long seq;
    final Deed deed;
    Phase promised = Phase.UNKNOWN; // a producer that was killed has said nothing
    boolean booked;
    boolean early;
    final List<Effect> effects = new ArrayList<>(1);

    @Nullable
    Death death;

    int starts;

    Story(String key, @Nullable String lane, long seq, Deed deed) {
        this.key = key;
        this.lane = lane;
        this.seq = seq;
        this.deed = deed;
    }

    boolean isOver() {
        return effects.size() + (death == null ? 0 : 1) == 1;
    }

    boolean isVisible() {
        return booked || !effects.isEmpty() || death != null;
    }

    /**
     * A row that a handler has committed.
     *
     * @param id      its place among all
     * @param node    the node
     * @param claimNo the claim
     */
    record Effect(long id, int node, int claimNo) {}

    /**
     * A dead letter.
     *
     * @param attempts its attempts
     * @param deaths   its deaths
     * @param mark     the last error
     */
    record Death(int attempts, int deaths, String mark) {}

    @Override
    public String toString() {
        return key + " lane=" + lane + " seq=" + seq + " deed=" + deed + " promised=" + promised + " booked=" + booked
                + " effects=" + effects + " death=" + death + " starts=" + starts;
    }
}
