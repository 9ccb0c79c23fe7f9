package io.acidq.chaos.audit;

import io.acidq.chaos.audit.DatabaseAudit.DeadNodes;
import io.acidq.chaos.audit.MessageHistory.Effect;
import io.acidq.chaos.audit.MessageHistory.HandlerStart;
import io.acidq.chaos.audit.MessageHistory.RecordedDeadLetter;
import io.acidq.chaos.role.HandlerAction;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Checks the starts of a message, by claim, node and counts, and the starts of the messages of one ordering key. */
final class RunAudit {

    /** Their handlers may be abandoned while they still run. */
    private static final Set<HandlerAction> ABANDONED = EnumSet.of(HandlerAction.ENDLESS, HandlerAction.GREEDY);

    private static final Comparator<HandlerStart> BY_TIME = Comparator.comparingLong(s -> s.at);

    private final InvariantResults results;
    private final DeadNodes deadNodes;

    RunAudit(InvariantResults results, DeadNodes deadNodes) {
        this.results = results;
        this.deadNodes = deadNodes;
    }

    void check(MessageHistory history) {
        List<HandlerStart> starts = history.starts.stream()
                .sorted(Comparator.comparingInt(s -> s.claimNo))
                .toList();
        results.check(
                Invariant.ONE_NODE_PER_CLAIM, hasOneNodePerClaim(history) && !runsAClaimTwiceAtOnce(history), history);
        results.check(Invariant.CLAIMS_RISE, rises(starts), history);
        results.check(
                Invariant.ATTEMPTS_ARE_STARTS,
                isCounted(starts, history) && isFreeWhenRequeued(starts, history),
                history);
        results.check(
                Invariant.ONE_LIVE_CLAIM, starts.stream().noneMatch(s -> isTakenWhileRunning(s, history)), history);
        results.check(
                Invariant.EFFECT_OF_A_START,
                history.effects.stream().allMatch(e -> starts.stream().anyMatch(s -> s.isOf(e.node(), e.claimNo()))),
                history);
        results.check(
                Invariant.EFFECT_OF_SUCCESS, history.effects.stream().allMatch(e -> isOfSuccess(e, starts)), history);
        results.check(Invariant.ENDED_BY_THE_LAST_CLAIM, endedBy(history) >= last(starts), history);
        results.check(
                Invariant.NOTHING_FROM_THE_DEAD,
                history.effects.stream().noneMatch(e -> history.crashedNodes.contains(e.node())),
                history);
    }

    private static boolean hasOneNodePerClaim(MessageHistory history) {
        Map<Integer, Integer> nodes = new HashMap<>();
        return history.starts.stream().allMatch(s -> isOnly(nodes, s.claimNo, s.node))
                && history.effects.stream().allMatch(e -> isOnly(nodes, e.claimNo(), e.node()));
    }

    private static boolean runsAClaimTwiceAtOnce(MessageHistory history) {
        return history.starts.stream()
                .anyMatch(one -> history.starts.stream()
                        .anyMatch(other -> one.isOf(other.node, other.claimNo) && one.isRunningAt(other.at)));
    }

    private static boolean isOnly(Map<Integer, Integer> nodes, int claim, int node) {
        return nodes.merge(claim, node, (known, other) -> known) == node;
    }

    /** One claim may have several starts, because messages of a failed transaction run again one by one. */
    private static boolean rises(List<HandlerStart> byClaim) {
        HandlerStart before = null;
        for (HandlerStart start : byClaim) {
            if (before != null
                    && (start.attempt < before.attempt
                            || start.crashes < before.crashes
                            || (start.claimNo == before.claimNo && start.attempt != before.attempt))) {
                return false;
            }
            before = start;
        }
        return true;
    }

    /** A requeued claim takes its attempt back, so there may be fewer attempts than starts, but never more. */
    private static boolean isCounted(List<HandlerStart> byClaim, MessageHistory history) {
        long started = 0;
        int attempts = 0;
        int claim = 0;
        for (HandlerStart start : byClaim) {
            started += start.claimNo == claim ? 0 : 1;
            claim = start.claimNo;
            attempts = Math.max(attempts, start.attempt);
            if (start.attempt > started) {
                return false;
            }
        }
        int atDeath = history.deadLetter == null ? 0 : history.deadLetter.attempts();
        return atDeath <= started && history.retries() <= Math.max(attempts, atDeath);
    }

    /** Each requeue ended a claim of its own and took the attempt back. */
    private boolean isFreeWhenRequeued(List<HandlerStart> byClaim, MessageHistory history) {
        RecordedDeadLetter deadLetter = history.deadLetter;
        return byClaim.stream()
                        .filter(s ->
                                !deadNodes.wasDeclaredDead(s.node, s.at)) // such a start may come after later claims
                        .allMatch(s -> isFree(history.requeuedBefore(s.at), s.attempt, s.claimNo))
                && (deadLetter == null
                        || isFree(history.requeuedBefore(Long.MAX_VALUE), deadLetter.attempts(), deadLetter.claimNo()));
    }

    private static boolean isFree(long requeued, int attempts, int claims) {
        return requeued == 0 || attempts + requeued <= claims;
    }

    /** One claim may have several starts. {@link Invariant#EFFECT_OF_A_START} checks that there is one. */
    private static boolean isOfSuccess(Effect effect, List<HandlerStart> starts) {
        List<HandlerStart> ofClaim = starts.stream()
                .filter(s -> s.isOf(effect.node(), effect.claimNo()))
                .toList();
        return ofClaim.isEmpty() || ofClaim.stream().anyMatch(HandlerStart::isSuccessful);
    }

    /** Whether another start began while this one ran, although its node was not declared dead and had not released the message. */
    private boolean isTakenWhileRunning(HandlerStart start, MessageHistory history) {
        return history.starts.stream()
                .filter(other -> start.isOvertakenBy(other) && !deadNodes.wasDeclaredDead(start.node, other.at))
                .anyMatch(other -> history.releases.stream().noneMatch(r -> start.isReleasedBefore(other, r)));
    }

    private static int last(List<HandlerStart> byClaim) {
        return byClaim.isEmpty() ? 0 : byClaim.get(byClaim.size() - 1).claimNo;
    }

    /** The claim that ended the message; the largest number if it has not ended. */
    private static int endedBy(MessageHistory history) {
        if (history.deadLetter != null) {
            return history.deadLetter.claimNo();
        }
        return history.effects.stream().mapToInt(Effect::claimNo).max().orElse(Integer.MAX_VALUE);
    }

    /** Checks the messages of one ordering key, given in any order: each starts after the previous one has ended for good. */
    void checkKey(List<MessageHistory> ofOneKey) {
        MessageHistory before = null;
        for (MessageHistory history : ofOneKey.stream()
                .filter(s -> valid(s).findAny().isPresent())
                .sorted(Comparator.comparingLong(s -> s.seq))
                .toList()) {
            boolean holds = before == null || isAfter(before, history);
            results.check(
                    Invariant.ONE_AT_A_TIME, holds, holds ? "" : before + "\n    had not ended before\n    " + history);
            before = history;
        }
    }

    private boolean isAfter(MessageHistory before, MessageHistory history) {
        HandlerStart last = valid(before).max(BY_TIME).orElseThrow();
        HandlerStart first = valid(history).min(BY_TIME).orElseThrow();
        return last.at <= first.at
                && (ABANDONED.contains(before.action)
                        || deadNodes.wasDeclaredDead(last.node, first.at)
                        || !last.isRunningAt(first.at));
    }

    private Stream<HandlerStart> valid(MessageHistory history) {
        return history.starts.stream().filter(this::isValid);
    }

    /** A node that was frozen between claim and handler may start the handler after it was declared dead. This run changes nothing. */
    private boolean isValid(HandlerStart start) {
        return !deadNodes.wasDeclaredDead(start.node, start.at);
    }
}
