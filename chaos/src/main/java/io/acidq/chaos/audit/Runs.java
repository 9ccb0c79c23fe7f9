package io.acidq.chaos.audit;

import io.acidq.chaos.audit.Story.Death;
import io.acidq.chaos.audit.Story.Effect;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Judges the starts of a message: under which claims, by which nodes, and how they were counted. */
final class Runs {

    private final Verdict verdict;
    private final Nodes nodes;

    Runs(Verdict verdict, Nodes nodes) {
        this.verdict = verdict;
        this.nodes = nodes;
    }

    void judge(Story story) {
        List<Start> starts = story.starts.stream()
                .sorted(Comparator.comparingInt(s -> s.claimNo))
                .toList();
        verdict.check(Invariant.ONE_NODE_PER_CLAIM, hasOneNodePerClaim(story) && !runsAClaimTwiceAtOnce(story), story);
        verdict.check(Invariant.CLAIMS_RISE, rises(starts), story);
        verdict.check(
                Invariant.ATTEMPTS_ARE_STARTS, isCounted(starts, story) && isFreeWhenGivenBack(starts, story), story);
        verdict.check(Invariant.ONE_LIVE_CLAIM, starts.stream().noneMatch(s -> isRobbed(s, story)), story);
        verdict.check(
                Invariant.EFFECT_OF_A_START,
                story.effects.stream().allMatch(e -> starts.stream().anyMatch(s -> s.isOf(e.node(), e.claimNo()))),
                story);
        verdict.check(Invariant.EFFECT_OF_SUCCESS, story.effects.stream().allMatch(e -> isOfSuccess(e, starts)), story);
        verdict.check(Invariant.ENDED_BY_THE_LAST_CLAIM, endedBy(story) >= last(starts), story);
        verdict.check(
                Invariant.NOTHING_FROM_THE_DEAD,
                story.effects.stream().noneMatch(e -> story.burials.contains(e.node())),
                story);
    }

    private static boolean hasOneNodePerClaim(Story story) {
        Map<Integer, Integer> nodes = new HashMap<>();
        return story.starts.stream().allMatch(s -> isOnly(nodes, s.claimNo, s.node))
                && story.effects.stream().allMatch(e -> isOnly(nodes, e.claimNo(), e.node()));
    }

    private static boolean runsAClaimTwiceAtOnce(Story story) {
        return story.starts.stream()
                .anyMatch(one -> story.starts.stream()
                        .anyMatch(other -> one.isOf(other.node, other.claimNo) && one.isRunningAt(other.at)));
    }

    private static boolean isOnly(Map<Integer, Integer> nodes, int claim, int node) {
        return nodes.merge(claim, node, (known, other) -> known) == node;
    }

    /** Of one claim there may be several starts: what failed together is run again one by one. */
    private static boolean rises(List<Start> byClaim) {
        Start before = null;
        for (Start start : byClaim) {
            if (before != null
                    && (start.attempt < before.attempt
                            || start.deaths < before.deaths
                            || (start.claimNo == before.claimNo && start.attempt != before.attempt))) {
                return false;
            }
            before = start;
        }
        return true;
    }

    /** A claim that is given back takes its attempt with it, so there may be fewer attempts than starts, and never more. */
    private static boolean isCounted(List<Start> byClaim, Story story) {
        long started = 0;
        int attempts = 0;
        int claim = 0;
        for (Start start : byClaim) {
            started += start.claimNo == claim ? 0 : 1;
            claim = start.claimNo;
            attempts = Math.max(attempts, start.attempt);
            if (start.attempt > started) {
                return false;
            }
        }
        int atDeath = story.death == null ? 0 : story.death.attempts();
        return atDeath <= started && story.retries() <= Math.max(attempts, atDeath);
    }

    /** Each that was given back was a claim of its own, and took its attempt with it. */
    private boolean isFreeWhenGivenBack(List<Start> byClaim, Story story) {
        Death death = story.death;
        return byClaim.stream()
                        .filter(s ->
                                !nodes.wasBuried(s.node, s.at)) // it may stand behind claims that came after its own
                        .allMatch(s -> isFree(story.givenBackBefore(s.at), s.attempt, s.claimNo))
                && (death == null || isFree(story.givenBackBefore(Long.MAX_VALUE), death.attempts(), death.claimNo()));
    }

    private static boolean isFree(long givenBack, int attempts, int claims) {
        return givenBack == 0 || attempts + givenBack <= claims;
    }

    /** Of one claim there may be several starts; that there is any is another matter. */
    private static boolean isOfSuccess(Effect effect, List<Start> starts) {
        List<Start> its = starts.stream()
                .filter(s -> s.isOf(effect.node(), effect.claimNo()))
                .toList();
        return its.isEmpty() || its.stream().anyMatch(Start::isWell);
    }

    /** Whether another start began while it ran in a node that had not been buried by then and that had not let go of it by itself. */
    private boolean isRobbed(Start start, Story story) {
        return story.starts.stream()
                .filter(other -> start.isOvertakenBy(other) && !nodes.wasBuried(start.node, other.at))
                .anyMatch(other -> story.releases.stream().noneMatch(r -> start.isLetGoBefore(other, r)));
    }

    private static int last(List<Start> byClaim) {
        return byClaim.isEmpty() ? 0 : byClaim.get(byClaim.size() - 1).claimNo;
    }

    /** The claim that ended it; endless when it has not ended. */
    private static int endedBy(Story story) {
        if (story.death != null) {
            return story.death.claimNo();
        }
        return story.effects.stream().mapToInt(Effect::claimNo).max().orElse(Integer.MAX_VALUE);
    }
}
