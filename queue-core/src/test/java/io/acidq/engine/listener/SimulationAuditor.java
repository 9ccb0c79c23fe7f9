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

/**
 * The auditor of a simulation. It receives every start and every commit, and keeps the first broken promise with the
 * history of its message.
 */
final class SimulationAuditor {

    static final int MAX_ATTEMPTS = 4;
    static final int MAX_CRASHES = 3;

    /** The last error of a dead letter that the handler asked for. */
    static final String ASKED = "simulated end";

    private final Map<UUID, MessageHistory> histories = new LinkedHashMap<>();
    private final Map<String, Integer> lastEffect = new HashMap<>();
    private final List<Started> live = new ArrayList<>();
    private @Nullable String broken;

    /** The effect of a handler in its transaction. */
    record Effect(UUID uid, int seq, int claimNo) {}

    /** A handler that runs under a claim. */
    record Started(UUID uid, @Nullable String orderingKey, Claim claim) {

        boolean excludes(Started other) {
            return uid.equals(other.uid) || (orderingKey != null && orderingKey.equals(other.orderingKey));
        }
    }

    private static final class MessageHistory {
        private final int seq;
        private final @Nullable String orderingKey;
        private final List<String> events = new ArrayList<>();
        private int counted;
        private int lastClaimNo;
        private int effects;
        private @Nullable String end;

        MessageHistory(int seq, @Nullable String orderingKey) {
            this.seq = seq;
            this.orderingKey = orderingKey;
        }
    }

    /** Returns the first broken promise with the history of the message; null when there is none. */
    @Nullable
    String broken() {
        return broken;
    }

    int messages() {
        return histories.size();
    }

    void enqueued(SimulatedRow row) {
        histories.put(row.uid, new MessageHistory(row.seq, row.orderingKey));
    }

    /**
     * Records the call of a handler, until {@link #ended} records the end of its transaction. A node that was declared
     * dead may start messages that others run or have done: only its effects are checked, not its starts.
     */
    void started(Started start, int attempt, boolean isDue, Predicate<Integer> lives) {
        if (!histories.containsKey(start.uid)) {
            broken = "a message starts that was never enqueued: " + start.claim;
        }
        MessageHistory messageHistory = history(start.uid);
        messageHistory.events.add("starts as " + start.claim + ", attempt " + attempt);
        if (lives.test(start.claim.owner())) {
            check(isDue, "starts before it is due", messageHistory);
            check(start.claim.claimNo() >= messageHistory.lastClaimNo, "starts under an older claim", messageHistory);
            check(
                    attempt == messageHistory.counted + 1,
                    "has another number of attempts than of counted starts",
                    messageHistory);
            check(attempt <= MAX_ATTEMPTS, "starts too often", messageHistory);
            check(
                    live.stream().noneMatch(l -> l.excludes(start) && lives.test(l.claim.owner())),
                    "runs while it, or another of its key, runs in a node that lives",
                    messageHistory);
        }
        messageHistory.lastClaimNo = Math.max(messageHistory.lastClaimNo, start.claim.claimNo());
        live.add(start);
    }

    void ended(List<Started> starts) {
        live.removeAll(starts);
    }

    void happened(Effect effect) {
        MessageHistory messageHistory = history(effect.uid);
        messageHistory.events.add("has an effect under claim " + effect.claimNo);
        check(++messageHistory.effects == 1, "has two effects", messageHistory);
        check(messageHistory.end == null, "has an effect after its end", messageHistory);
        check(effect.claimNo == messageHistory.lastClaimNo, "has the effect of a claim that was lost", messageHistory);
        if (messageHistory.orderingKey != null) {
            int before = lastEffect.getOrDefault(messageHistory.orderingKey, -1);
            check(before < messageHistory.seq, "has its effect out of order", messageHistory);
            lastEffect.put(messageHistory.orderingKey, messageHistory.seq);
        }
    }

    void again(SimulatedRow row, boolean counted) {
        MessageHistory messageHistory = history(row.uid);
        messageHistory.events.add(counted ? "is retried" : "is snoozed");
        messageHistory.counted += counted ? 1 : 0;
    }

    void note(SimulatedRow row, String what) {
        history(row.uid).events.add(what + ": " + row);
    }

    void done(SimulatedRow row) {
        end(row, "done");
    }

    void cancelled(SimulatedRow row) {
        end(row, "cancelled");
    }

    void deadLettered(SimulatedRow row, String lastError) {
        end(row, "dead: " + lastError);
        boolean inTime = lastError.startsWith("killed")
                ? row.crashes == MAX_CRASHES
                : lastError.contains(ASKED) || row.attempts == MAX_ATTEMPTS;
        check(inTime, "is dead-lettered too early, as " + row, history(row.uid));
    }

    private void end(SimulatedRow row, String end) {
        MessageHistory messageHistory = history(row.uid);
        messageHistory.events.add(end);
        check(messageHistory.end == null, "ends twice", messageHistory);
        messageHistory.end = end;
    }

    /** Checks each message at the end of the schedule. */
    void finish(boolean drained) {
        for (MessageHistory messageHistory : histories.values()) {
            check(messageHistory.end != null, drained ? "is lost" : "does not come to an end", messageHistory);
            check(
                    "done".equals(messageHistory.end) == (messageHistory.effects == 1),
                    "is done without effect, or the reverse",
                    messageHistory);
        }
    }

    private MessageHistory history(UUID uid) {
        return Objects.requireNonNull(histories.get(uid), "the message was never enqueued");
    }

    private void check(boolean holds, String what, MessageHistory messageHistory) {
        if (!holds && broken == null) {
            broken = "message " + messageHistory.orderingKey + "/" + messageHistory.seq + " " + what + ":\n  "
                    + String.join("\n  ", messageHistory.events);
        }
    }
}
