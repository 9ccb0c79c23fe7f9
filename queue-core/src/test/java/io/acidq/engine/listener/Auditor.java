package io.acidq.engine.listener;

import io.acidq.store.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Hears of all that commits in a simulation, and of every start; remembers the first broken promise, with the story of its message. */
final class Auditor {

    /** How often a message may fail, and kill. */
    static final int MOST_ATTEMPTS = 4;

    static final int MOST_DEATHS = 3;

    /** The cause of a dead letter that the handler asked for. */
    static final String ASKED = "simulated end";

    private final Map<UUID, Story> stories = new LinkedHashMap<>();
    private final Map<String, Integer> lastEffect = new HashMap<>();
    private final List<Started> live = new ArrayList<>();
    private @Nullable String broken;

    /** What a handler did in its transaction. */
    record Effect(UUID uid, int seq, int claimNo) {}

    /** A handler that runs under a claim. */
    record Started(UUID uid, @Nullable String orderKey, Claim claim) {

        boolean excludes(Started other) {
            return uid.equals(other.uid) || (orderKey != null && orderKey.equals(other.orderKey));
        }
    }

    /** One message. */
    private static final class Story {
        private final int seq;
        private final @Nullable String orderKey;
        private final List<String> events = new ArrayList<>();
        private int counted;
        private int lastClaimNo;
        private int effects;
        private @Nullable String end;

        Story(int seq, @Nullable String orderKey) {
            this.seq = seq;
            this.orderKey = orderKey;
        }
    }

    /** The first promise that was broken, with the story of the message. */
    @Nullable
    String broken() {
        return broken;
    }

    int messages() {
        return stories.size();
    }

    void enqueued(SimulatedRow row) {
        stories.put(row.uid, new Story(row.seq, row.orderKey));
    }

    /**
     * A handler is called; it must be told to {@link #ended} when its transaction has ended. A node that was buried may start what others
     * run or have done: its effects are judged, not its starts. So may one that was never told that its transaction has committed.
     */
    void started(Started start, int attempt, boolean isDue, Predicate<Integer> lives) {
        if (!stories.containsKey(start.uid)) {
            broken = "a message starts that nobody has enqueued: " + start.claim;
        }
        Story story = story(start.uid);
        story.events.add("starts as " + start.claim + ", attempt " + attempt);
        if (lives.test(start.claim.owner())) {
            check(isDue, "starts before it is due", story);
            check(start.claim.claimNo() >= story.lastClaimNo, "starts under an older claim", story);
            check(attempt == story.counted + 1, "has another number of attempts than of counted starts", story);
            check(attempt <= MOST_ATTEMPTS, "starts too often", story);
            check(
                    live.stream().noneMatch(l -> l.excludes(start) && lives.test(l.claim.owner())),
                    "runs while it, or another of its key, runs in a node that lives",
                    story);
        }
        story.lastClaimNo = Math.max(story.lastClaimNo, start.claim.claimNo());
        live.add(start);
    }

    void ended(List<Started> starts) {
        live.removeAll(starts);
    }

    void happened(Effect effect) {
        Story story = story(effect.uid);
        story.events.add("has an effect under claim " + effect.claimNo);
        check(++story.effects == 1, "has two effects", story);
        check(story.end == null, "has an effect after its end", story);
        check(effect.claimNo == story.lastClaimNo, "has the effect of a claim that was lost", story);
        if (story.orderKey != null) {
            int before = lastEffect.getOrDefault(story.orderKey, -1);
            check(before < story.seq, "has its effect out of order", story);
            lastEffect.put(story.orderKey, story.seq);
        }
    }

    void again(SimulatedRow row, boolean counted) {
        Story story = story(row.uid);
        story.events.add(counted ? "is retried" : "is snoozed");
        story.counted += counted ? 1 : 0;
    }

    /** For the story of the message. */
    void note(SimulatedRow row, String what) {
        story(row.uid).events.add(what + ": " + row);
    }

    void done(SimulatedRow row) {
        end(row, "done");
    }

    void cancelled(SimulatedRow row) {
        end(row, "cancelled");
    }

    void died(SimulatedRow row, String mark) {
        end(row, "dead: " + mark);
        boolean right = mark.startsWith("killed")
                ? row.deaths == MOST_DEATHS
                : mark.contains(ASKED) || row.attempts == MOST_ATTEMPTS;
        check(right, "died before its time, as " + row, story(row.uid));
    }

    private void end(SimulatedRow row, String end) {
        Story story = story(row.uid);
        story.events.add(end);
        check(story.end == null, "ends twice", story);
        story.end = end;
    }

    /** When nothing is left to do. */
    void finish(boolean drained) {
        for (Story story : stories.values()) {
            check(story.end != null, drained ? "is lost" : "does not come to an end", story);
            check("done".equals(story.end) == (story.effects == 1), "is done without effect, or the reverse", story);
        }
    }

    private Story story(UUID uid) {
        return Objects.requireNonNull(stories.get(uid), "a message that nobody has enqueued");
    }

    private void check(boolean holds, String what, Story story) {
        if (!holds && broken == null) {
            broken = "message " + story.orderKey + "/" + story.seq + " " + what + ":\n  "
                    + String.join("\n  ", story.events);
        }
    }
}
