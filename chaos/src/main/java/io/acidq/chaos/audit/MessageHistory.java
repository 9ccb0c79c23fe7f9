package io.acidq.chaos.audit;

import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.Journal.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** All that is known of one errand. Confined to the auditor's thread. */
final class MessageHistory {

    /** The clock of the database is compared with that of the machine. */
    private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(500);

    private static final JsonMapper JSON = new JsonMapper();

    final String key;
    final @Nullable String lane;
    final long seq;
    final HandlerAction handlerAction;
    final List<HandlerStart> handlerStarts = new ArrayList<>(1);
    final List<Release> releases = new ArrayList<>(0);
    final List<Effect> effects = new ArrayList<>(1);

    /** The unique numbers under which it was started, is dead, and has its key. */
    final Set<String> uids = new HashSet<>(2);

    /** The nodes whose crashes are counted against it. */
    final List<Integer> crashedNodes = new ArrayList<>(0);

    /** Where the queue still holds it. */
    final List<String> places = new ArrayList<>(0);

    int deadlocks;
    Phase promised = Phase.UNKNOWN; // a producer that was killed has said nothing
    boolean booked;
    boolean keyed;
    boolean early;

    /** By the machine's monotonic clock. */
    long dueAt = Long.MIN_VALUE / 2;

    @Nullable
    RecordedDeadLetter deadLetter;

    MessageHistory(String key, @Nullable String lane, long seq, HandlerAction handlerAction) {
        this.key = key;
        this.lane = lane;
        this.seq = seq;
        this.handlerAction = handlerAction;
    }

    /** How often its deed was done. */
    int actions() {
        return handlerAction == HandlerAction.SWALLOW_DEADLOCK ? deadlocks : handlerStarts.size();
    }

    boolean isOver() {
        return effects.size() + (deadLetter == null ? 0 : 1) == 1;
    }

    boolean isVisible() {
        return isInDatabase() || !handlerStarts.isEmpty();
    }

    boolean isInDatabase() {
        return booked || !effects.isEmpty() || deadLetter != null || !places.isEmpty();
    }

    /** Whether a message of this ordering key, type and payload is what its producer meant. */
    boolean isMeant(String itsLane, String type, byte[] payload) {
        try {
            ChaosMessage chaosMessage = JSON.readValue(payload, ChaosMessage.class);
            return type.equals(ChaosMessage.class.getSimpleName())
                    && itsLane.equals(lane == null ? "" : lane)
                    && chaosMessage.key().equals(key)
                    && Objects.equals(chaosMessage.lane(), lane)
                    && chaosMessage.seq() == seq
                    && chaosMessage.action() == handlerAction;
        } catch (JacksonException e) {
            return false;
        }
    }

    boolean wasStartedEarly() {
        return handlerStarts.stream().anyMatch(s -> s.at < dueAt - TOLERANCE);
    }

    /** The ends of nodes that are counted against it, by rows or in the last error. */
    long shownCrashes(DeadNodes deadNodes) {
        Stream<Integer> told = deadLetter == null ? Stream.of() : deadLetter.killed();
        return Stream.concat(crashedNodes.stream(), told)
                .filter(deadNodes::hasEnded)
                .count();
    }

    long retries() {
        return releases.stream().filter(Release::counts).count();
    }

    /** How often it had been given back with its attempt by then. */
    long requeuedBefore(long moment) {
        return releases.stream().filter(r -> !r.counts() && r.at() < moment).count();
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
     * @param crashes   its crashes
     * @param claimNo  its claim number
     * @param lastError     the last error
     * @param asMeant  whether it holds what its producer meant
     */
    record RecordedDeadLetter(int attempts, int crashes, int claimNo, String lastError, boolean asMeant) {

        private static final Pattern KILLED = Pattern.compile("(?m)^node (\\d+) \\(host ");

        /** The nodes that it has killed, as the last error names them. */
        Stream<Integer> killed() {
            return KILLED.matcher(lastError).results().map(found -> Integer.valueOf(found.group(1)));
        }
    }

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
                .append(" lane=" + lane + " seq=" + seq + " deed=" + handlerAction + " promised=" + promised)
                .append(" booked=" + booked + " keyed=" + keyed + (early ? " EARLY" : ""));
        List<Object> lines = new ArrayList<>(handlerStarts);
        lines.addAll(releases);
        lines.addAll(effects);
        crashedNodes.forEach(node -> lines.add("the death of node " + node + " is counted against it"));
        places.forEach(place -> lines.add("left in " + place));
        if (deadLetter != null) {
            lines.add(deadLetter);
        }
        lines.forEach(line -> text.append("\n        ").append(line));
        return text.toString();
    }
}
