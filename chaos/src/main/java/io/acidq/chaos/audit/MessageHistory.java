package io.acidq.chaos.audit;

import io.acidq.chaos.audit.DatabaseAudit.DeadNodes;
import io.acidq.chaos.audit.InvariantResults.Removal;
import io.acidq.chaos.role.ChaosMessage;
import io.acidq.chaos.role.ChaosSubscription;
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

/** Everything that journals and database say about one message. Confined to the auditor's thread. */
final class MessageHistory {

    /** Through a connection that a fault disturbs. */
    private static final long LONGEST_CLAIM = TimeUnit.SECONDS.toNanos(10);

    /** A process can stand still between its look at the expiry and the handler without being declared dead. */
    private static final long LONGEST_HICCUP = TimeUnit.SECONDS.toNanos(3);

    /** For the comparison of the database's clock with the machine's. */
    private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(500);

    private static final JsonMapper JSON = new JsonMapper();

    final String key;
    final @Nullable String lane;
    final long seq;
    final HandlerAction action;

    /** The subscription of the topic whose copy this is; null for a message of the queue without topic. */
    final @Nullable ChaosSubscription subscription;

    final List<HandlerStart> starts = new ArrayList<>(1);
    final List<Release> releases = new ArrayList<>(0);
    final List<Effect> effects = new ArrayList<>(1);

    /** The unique ids of its starts, its dead letter and its message key. */
    final Set<String> uids = new HashSet<>(2);

    /** The nodes whose crashes are counted for it. */
    final List<Integer> crashedNodes = new ArrayList<>(0);

    /** The tables that still hold it. */
    final List<String> places = new ArrayList<>(0);

    /** Whether it was sent with a receipt. */
    boolean tracked;

    /** The answer of its receipt after an unknown commit outcome: YES or NO. */
    @Nullable
    String answer;

    @Nullable
    RecordedReceipt receipt;

    /** Milliseconds from the due time to the expiry; 0 if it does not expire. */
    long expiresIn;

    /** The latest time at which it may have its expiry, by the machine's monotonic clock. */
    long expiresAt = Long.MAX_VALUE;

    /** Whether a transaction of its producer that withdrew it has committed. */
    boolean withdrawn;

    /** Whether the audit log has a cancel of it. */
    boolean cancelRecorded;

    final List<CancelRequest> cancelRequests = new ArrayList<>(0);

    int deadlocks;
    Phase sendResult = Phase.UNKNOWN; // unless its producer wrote an end before it was killed
    boolean booked;
    boolean keyed;
    boolean early;

    /** The due time by the machine's monotonic clock. */
    long dueAt = Long.MIN_VALUE / 2;

    @Nullable
    RecordedDeadLetter deadLetter;

    MessageHistory(String key, @Nullable String lane, long seq, HandlerAction action) {
        this.key = key;
        this.lane = lane;
        this.seq = seq;
        this.action = action;
        this.subscription = ChaosSubscription.ofKey(key);
    }

    /** Returns the line in which the message keeps its order: the ordering key in its queue. */
    String orderingLine() {
        return lane + " of " + subscription;
    }

    /** After how many attempts it is dead if it always fails. */
    int maxAttempts(int usual) {
        return subscription == ChaosSubscription.FAILING ? ChaosSubscription.FAILING_MAX_ATTEMPTS : usual;
    }

    /** How often its action was performed. */
    int actions() {
        return action == HandlerAction.SWALLOW_DEADLOCK ? deadlocks : starts.size();
    }

    boolean isOver() {
        return effects.size() + (deadLetter == null ? 0 : 1) == 1 || removal() != null;
    }

    /** Why it is gone without an effect and without a dead letter. Null if it is not, or nothing explains it, so that it is lost. */
    @Nullable
    Removal removal() {
        if (!booked || !effects.isEmpty() || deadLetter != null || !places.isEmpty()) {
            return null;
        }
        if (withdrawn) {
            return Removal.WITHDRAWN;
        }
        if (cancelRecorded
                && cancelRequests.stream().anyMatch(CancelRequest::mayHaveRemoved)
                && (!tracked || isReceipt("CANCELLED"))) {
            return Removal.CANCELLED;
        }
        return isReceipt("EXPIRED")
                        && mayHaveExpiredBefore(Objects.requireNonNull(receipt).endedAt())
                ? Removal.EXPIRED
                : null;
    }

    private boolean isReceipt(String state) {
        return receipt != null && receipt.state().equals(state);
    }

    /** The expiry is seen too early at most by the time that a claim takes. */
    private boolean mayHaveExpiredBefore(long moment) {
        return expiresIn > 0 && dueAt + TimeUnit.MILLISECONDS.toNanos(expiresIn) - LONGEST_CLAIM <= moment;
    }

    /** Whether it is a dead letter because a retry would have come after its expiry. */
    boolean isDeadByExpiry() {
        return deadLetter != null
                && deadLetter.lastError().startsWith("no start is left before its expiry")
                && mayHaveExpiredBefore(deadLetter.diedAt());
    }

    boolean wasStartedAfterExpiry(DeadNodes deadNodes) {
        return expiresAt != Long.MAX_VALUE
                && starts.stream()
                        .anyMatch(s -> s.at > expiresAt + LONGEST_HICCUP && !deadNodes.wasDeclaredDead(s.node, s.at));
    }

    /** Whether somebody withdrew it, or an operator tried to cancel it. */
    boolean wasCancelled() {
        return withdrawn || !cancelRequests.isEmpty();
    }

    /** Whether each withdrawal and each cancel had the end that its answer promises. */
    boolean staysCancelled(DeadNodes deadNodes) {
        if (withdrawn && (removal() != Removal.WITHDRAWN || !starts.isEmpty())) {
            return false;
        }
        return cancelRequests.stream().allMatch(request -> {
            long claimsAfter = starts.stream()
                    .filter(s -> s.at > request.answeredAt && !deadNodes.wasDeclaredDead(s.node, s.at))
                    .mapToInt(s -> s.claimNo)
                    .distinct()
                    .count();
            return switch (request.answer) {
                case "CANCELLED" -> cancelRecorded && removal() != null && claimsAfter == 0;
                case "REQUESTED" ->
                    cancelRecorded && isOver() && deadLetter == null && claimsAfter <= 1; // the claim that was asked
                case CancelRequest.NO_ANSWER -> true;
                default -> claimsAfter == 0;
            };
        });
    }

    boolean isVisible() {
        return isInDatabase() || !starts.isEmpty();
    }

    boolean isInDatabase() {
        return booked || !effects.isEmpty() || deadLetter != null || !places.isEmpty();
    }

    /** Whether ordering key, type and payload are those that the producer sent. */
    boolean isMeant(String storedLane, String type, byte[] payload) {
        try {
            ChaosMessage sent = JSON.readValue(payload, ChaosMessage.class);
            ChaosMessage message = subscription == null ? sent : subscription.copy(sent);
            return type.equals(ChaosMessage.class.getSimpleName())
                    && storedLane.equals(lane == null ? "" : lane)
                    && message.key().equals(key)
                    && Objects.equals(message.lane(), lane)
                    && message.seq() == seq
                    && message.action() == action;
        } catch (JacksonException e) {
            return false;
        }
    }

    boolean wasStartedEarly() {
        return starts.stream().anyMatch(s -> s.at < dueAt - TOLERANCE);
    }

    /** The number of ended nodes that are counted for it in rows or in the last error. */
    long shownCrashes(DeadNodes deadNodes) {
        Stream<Integer> inLastError = deadLetter == null ? Stream.of() : deadLetter.killed();
        return Stream.concat(crashedNodes.stream(), inLastError)
                .filter(deadNodes::hasEnded)
                .count();
    }

    long retries() {
        return releases.stream().filter(Release::counts).count();
    }

    /** How often it had been requeued by then. */
    long requeuedBefore(long moment) {
        return releases.stream().filter(r -> !r.counts() && r.at() < moment).count();
    }

    /**
     * A row that a handler has committed.
     *
     * @param id   the position among all effects
     * @param lane the ordering key that the handler received
     * @param seq  the number that the handler received
     */
    record Effect(long id, int node, int claimNo, @Nullable String lane, long seq) {}

    /**
     * A receipt.
     *
     * @param result  the encoded result: the claim number of the run that gave it
     * @param endedAt when the message ended, by the machine's monotonic clock
     */
    record RecordedReceipt(String state, @Nullable String result, long endedAt) {}

    /** Whether the receipt says how the message has ended. */
    boolean hasRightReceipt() {
        RecordedReceipt found = receipt;
        if (!tracked || !booked) {
            return found == null;
        }
        if (found == null) {
            return false;
        }
        return switch (found.state()) {
            case "DONE" ->
                effects.size() == 1 && String.valueOf(effects.get(0).claimNo()).equals(found.result());
            case "DEAD" -> deadLetter != null && found.result() == null;
            case "CANCELLED" -> removal() == Removal.CANCELLED || removal() == Removal.WITHDRAWN;
            case "EXPIRED" -> removal() == Removal.EXPIRED;
            default -> effects.isEmpty() && deadLetter == null && !withdrawn;
        };
    }

    /**
     * A dead letter.
     *
     * @param diedAt  by the machine's monotonic clock
     * @param asMeant whether it contains what its producer sent
     */
    record RecordedDeadLetter(int attempts, int crashes, int claimNo, String lastError, long diedAt, boolean asMeant) {

        private static final Pattern KILLED = Pattern.compile("(?m)^node (\\d+) \\(host ");

        /** The killed nodes in the last error. */
        Stream<Integer> killed() {
            return KILLED.matcher(lastError).results().map(found -> Integer.valueOf(found.group(1)));
        }
    }

    /**
     * A release of the message by a process.
     *
     * @param counts true for a retry, which counts as an attempt; false for a requeue, which does not
     */
    record Release(int process, boolean counts, long at) {}

    /** A cancel by an operator. Unless an answer is known, the process was killed or the database was away. */
    static final class CancelRequest {

        static final String NO_ANSWER = "none";

        String answer = NO_ANSWER;
        long answeredAt = Long.MAX_VALUE;

        boolean mayHaveRemoved() {
            return answer.equals(NO_ANSWER) || answer.equals("CANCELLED") || answer.equals("REQUESTED");
        }

        @Override
        public String toString() {
            return "cancel, answer " + answer + (answer.equals(NO_ANSWER) ? "" : " at " + answeredAt);
        }
    }

    /** The whole history. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(key)
                .append(" lane=" + lane + " seq=" + seq + " action=" + action + " sendResult=" + sendResult)
                .append(" booked=" + booked + " keyed=" + keyed + (early ? " EARLY" : "")
                        + (tracked ? " " + receipt : "")
                        + (answer == null ? "" : " answer=" + answer));
        if (expiresIn > 0) {
            text.append(" due=" + dueAt + " expiresIn=" + expiresIn + "ms, at the latest at " + expiresAt);
        }
        if (withdrawn) {
            text.append(" withdrawn");
        }
        List<Object> lines = new ArrayList<>(starts);
        lines.addAll(cancelRequests);
        if (cancelRecorded) {
            lines.add("the audit log has the cancel");
        }
        lines.addAll(releases);
        lines.addAll(effects);
        crashedNodes.forEach(node -> lines.add("the crash of node " + node + " is counted"));
        places.forEach(place -> lines.add("left in " + place));
        if (deadLetter != null) {
            lines.add(deadLetter);
        }
        lines.forEach(line -> text.append("\n        ").append(line));
        return text.toString();
    }

    /** A start of a handler from the journal of its process. Times are those of the machine's monotonic clock. */
    static final class HandlerStart {

        static final long NEVER = Long.MIN_VALUE;

        /** A handler is abandoned seven seconds after its call, at its limit and two grace periods. Its line may be later than the call. */
        private static final long ABANDONED = TimeUnit.SECONDS.toNanos(4);

        final int process;
        final int node;
        final int claimNo;
        final int attempt;
        final int crashes;
        final long at;
        long endedAt = NEVER;

        /** Whether it threw or swallowed a deadlock. */
        boolean failed;

        HandlerStart(int process, int node, Counts counts, long at) {
            this.process = process;
            this.node = node;
            this.claimNo = counts.claimNo();
            this.attempt = counts.attempt();
            this.crashes = counts.crashes();
            this.at = at;
        }

        boolean isOf(int otherNode, int otherClaim) {
            return node == otherNode && claimNo == otherClaim;
        }

        /** Whether the other start began with a later claim, on any node, while this one ran. */
        boolean isOvertakenBy(HandlerStart other) {
            return claimNo < other.claimNo && isRunningAt(other.at);
        }

        /** Whether it had begun and not returned at this moment. */
        boolean isRunningAt(long moment) {
            return at < moment && (endedAt == NEVER || moment < endedAt);
        }

        /**
         * Whether its process may have released it before the other start. The line is written after the COMMIT, so it may come after the other
         * start, but only an abandoned handler is released while it runs.
         */
        boolean isReleasedBefore(HandlerStart other, Release release) {
            return release.process() == process
                    && at < release.at()
                    && (release.at() < other.at || other.at - at >= ABANDONED);
        }

        /** Whether its handler returned successfully with an intact transaction. */
        boolean isSuccessful() {
            return endedAt != NEVER && !failed;
        }

        /**
         * The counts that a handler receives.
         *
         * @param attempt includes this one
         */
        record Counts(int claimNo, int attempt, int crashes) {}

        @Override
        public String toString() {
            return "start of claim " + claimNo + " by node " + node + " (process " + process + ") attempt=" + attempt
                    + " crashes=" + crashes + " at=" + at
                    + (endedAt == NEVER ? " never returned" : " returned=" + endedAt)
                    + (failed ? " failed" : "");
        }
    }
}
