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
    final List<Start> starts = new ArrayList<>(1);
    final List<Release> releases = new ArrayList<>(0);
    final List<Effect> effects = new ArrayList<>(1);

    /** The nodes whose deaths are counted against it. */
    final List<Integer> burials = new ArrayList<>(0);

    /** Where the queue still holds it. */
    final List<String> places = new ArrayList<>(0);

    int deadlocks;
    Phase promised = Phase.UNKNOWN; // a producer that was killed has said nothing
    boolean booked;
    boolean keyed;
    boolean early;

    @Nullable
    Death death;

    Story(String key, @Nullable String lane, long seq, Deed deed) {
        this.key = key;
        this.lane = lane;
        this.seq = seq;
        this.deed = deed;
    }

    /** How often its deed was done. */
    int deeds() {
        return deed == Deed.SWALLOW_DEADLOCK ? deadlocks : starts.size();
    }

    boolean isOver() {
        return effects.size() + (death == null ? 0 : 1) == 1;
    }

    boolean isVisible() {
        return isInDatabase() || !starts.isEmpty();
    }

    boolean isInDatabase() {
        return booked || !effects.isEmpty() || death != null || !places.isEmpty();
    }

    long retries() {
        return releases.stream().filter(Release::counts).count();
    }

    /**
     * A row that a handler has committed.
     *
     * @param id      its place among all
     * @param node    the node
     * @param claimNo the claim
     * @param lane    the ordering key that the handler was given
     * @param seq     the number in it
     */
    record Effect(long id, int node, int claimNo, @Nullable String lane, long seq) {}

    /**
     * A dead letter.
     *
     * @param attempts its attempts
     * @param deaths   its deaths
     * @param claimNo  its claim number
     * @param mark     the last error
     */
    record Death(int attempts, int deaths, int claimNo, String mark) {}

    /**
     * A process let go of it by itself, and said so afterwards.
     *
     * @param process which
     * @param counts  whether as a retry, which is an attempt, or with the attempt given back
     * @param at      when
     */
    record Release(int process, boolean counts, long at) {}

    /** The whole history. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(key)
                .append(" lane=" + lane + " seq=" + seq + " deed=" + deed + " promised=" + promised)
                .append(" booked=" + booked + " keyed=" + keyed + (early ? " EARLY" : ""));
        List<Object> lines = new ArrayList<>(starts);
        lines.addAll(releases);
        lines.addAll(effects);
        burials.forEach(node -> lines.add("the death of node " + node + " is counted against it"));
        places.forEach(place -> lines.add("left in " + place));
        if (death != null) {
            lines.add(death);
        }
        lines.forEach(line -> text.append("\n        ").append(line));
        return text.toString();
    }
}
