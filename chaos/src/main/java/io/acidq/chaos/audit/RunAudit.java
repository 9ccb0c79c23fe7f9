package io.acidq.chaos.audit;

import io.acidq.chaos.audit.MessageHistory.Effect;
import io.acidq.chaos.audit.MessageHistory.RecordedDeadLetter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Judges the starts of a message: under which claims, by which nodes, and how they were counted. */
final class RunAudit {

    private final InvariantResults invariantResults;
    private final DeadNodes deadNodes;

    RunAudit(InvariantResults invariantResults, DeadNodes deadNodes) {
        this.invariantResults = invariantResults;
        this.deadNodes = deadNodes;
    }

    void check(MessageHistory messageHistory) {
        List<HandlerStart> handlerStarts = messageHistory.handlerStarts.stream()
                .sorted(Comparator.comparingInt(s -> s.claimNo))
                .toList();
        invariantResults.check(
                Invariant.ONE_NODE_PER_CLAIM,
                hasOneNodePerClaim(messageHistory) && !runsAClaimTwiceAtOnce(messageHistory),
                messageHistory);
        invariantResults.check(Invariant.CLAIMS_RISE, rises(handlerStarts), messageHistory);
        invariantResults.check(
                Invariant.ATTEMPTS_ARE_STARTS,
                isCounted(handlerStarts, messageHistory) && isFreeWhenRequeued(handlerStarts, messageHistory),
                messageHistory);
        invariantResults.check(
                Invariant.ONE_LIVE_CLAIM,
                handlerStarts.stream().noneMatch(s -> isTakenWhileRunning(s, messageHistory)),
                messageHistory);
        invariantResults.check(
                Invariant.EFFECT_OF_A_START,
                messageHistory.effects.stream()
                        .allMatch(e -> handlerStarts.stream().anyMatch(s -> s.isOf(e.node(), e.claimNo()))),
                messageHistory);
        invariantResults.check(
                Invariant.EFFECT_OF_SUCCESS,
                messageHistory.effects.stream().allMatch(e -> isOfSuccess(e, handlerStarts)),
                messageHistory);
        invariantResults.check(
                Invariant.ENDED_BY_THE_LAST_CLAIM, endedBy(messageHistory) >= last(handlerStarts), messageHistory);
        invariantResults.check(
                Invariant.NOTHING_FROM_THE_DEAD,
                messageHistory.effects.stream().noneMatch(e -> messageHistory.crashedNodes.contains(e.node())),
                messageHistory);
    }

    private static boolean hasOneNodePerClaim(MessageHistory messageHistory) {
        Map<Integer, Integer> nodes = new HashMap<>();
        return messageHistory.handlerStarts.stream().allMatch(s -> isOnly(nodes, s.claimNo, s.node))
                && messageHistory.effects.stream().allMatch(e -> isOnly(nodes, e.claimNo(), e.node()));
    }

    private static boolean runsAClaimTwiceAtOnce(MessageHistory messageHistory) {
        return messageHistory.handlerStarts.stream()
                .anyMatch(one -> messageHistory.handlerStarts.stream()
                        .anyMatch(other -> one.isOf(other.node, other.claimNo) && one.isRunningAt(other.at)));
    }

    private static boolean isOnly(Map<Integer, Integer> nodes, int claim, int node) {
        return nodes.merge(claim, node, (known, other) -> known) == node;
    }

    /** Of one claim there may be several starts: what failed together is run again one by one. */
    private static boolean rises(List<HandlerStart> byClaim) {
        HandlerStart before = null;
        for (HandlerStart handlerStart : byClaim) {
            if (before != null
                    && (handlerStart.attempt < before.attempt
                            || handlerStart.crashes < before.crashes
                            || (handlerStart.claimNo == before.claimNo && handlerStart.attempt != before.attempt))) {
                return false;
            }
            before = handlerStart;
        }
        return true;
    }

    /** A claim that is given back takes its attempt with it, so there may be fewer attempts than starts, and never more. */
    private static boolean isCounted(List<HandlerStart> byClaim, MessageHistory messageHistory) {
        long started = 0;
        int attempts = 0;
        int claim = 0;
        for (HandlerStart handlerStart : byClaim) {
            started += handlerStart.claimNo == claim ? 0 : 1;
            claim = handlerStart.claimNo;
            attempts = Math.max(attempts, handlerStart.attempt);
            if (handlerStart.attempt > started) {
                return false;
            }
        }
        int atDeath = messageHistory.deadLetter == null ? 0 : messageHistory.deadLetter.attempts();
        return atDeath <= started && messageHistory.retries() <= Math.max(attempts, atDeath);
    }

    /** Each that was given back was a claim of its own, and took its attempt with it. */
    private boolean isFreeWhenRequeued(List<HandlerStart> byClaim, MessageHistory messageHistory) {
        RecordedDeadLetter recordedDeadLetter = messageHistory.deadLetter;
        return byClaim.stream()
                        .filter(s -> !deadNodes.wasDeclaredDead(
                                s.node, s.at)) // it may stand behind claims that came after its own
                        .allMatch(s -> isFree(messageHistory.requeuedBefore(s.at), s.attempt, s.claimNo))
                && (recordedDeadLetter == null
                        || isFree(
                                messageHistory.requeuedBefore(Long.MAX_VALUE),
                                recordedDeadLetter.attempts(),
                                recordedDeadLetter.claimNo()));
    }

    private static boolean isFree(long givenBack, int attempts, int claims) {
        return givenBack == 0 || attempts + givenBack <= claims;
    }

    /** Of one claim there may be several starts; that there is any is another matter. */
    private static boolean isOfSuccess(Effect effect, List<HandlerStart> handlerStarts) {
        List<HandlerStart> its = handlerStarts.stream()
                .filter(s -> s.isOf(effect.node(), effect.claimNo()))
                .toList();
        return its.isEmpty() || its.stream().anyMatch(HandlerStart::isSuccessful);
    }

    /** Whether another start began while it ran in a node that was not declared dead by then and had not released the message. */
    private boolean isTakenWhileRunning(HandlerStart handlerStart, MessageHistory messageHistory) {
        return messageHistory.handlerStarts.stream()
                .filter(other ->
                        handlerStart.isOvertakenBy(other) && !deadNodes.wasDeclaredDead(handlerStart.node, other.at))
                .anyMatch(other ->
                        messageHistory.releases.stream().noneMatch(r -> handlerStart.isReleasedBefore(other, r)));
    }

    private static int last(List<HandlerStart> byClaim) {
        return byClaim.isEmpty() ? 0 : byClaim.get(byClaim.size() - 1).claimNo;
    }

    /** The claim that ended it; endless when it has not ended. */
    private static int endedBy(MessageHistory messageHistory) {
        if (messageHistory.deadLetter != null) {
            return messageHistory.deadLetter.claimNo();
        }
        return messageHistory.effects.stream().mapToInt(Effect::claimNo).max().orElse(Integer.MAX_VALUE);
    }
}
