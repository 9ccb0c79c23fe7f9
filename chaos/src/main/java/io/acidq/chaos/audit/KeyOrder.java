package io.acidq.chaos.audit;

import io.acidq.chaos.role.Deed;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Judges the messages of one ordering key: the next starts when the one before it has ended for good. */
final class KeyOrder {

    /** Whose handlers may be given up while they still run. */
    private static final Set<Deed> DEAF = EnumSet.of(Deed.ENDLESS, Deed.GREEDY);

    private static final Comparator<Start> BY_TIME = Comparator.comparingLong(s -> s.at);

    private final Verdict verdict;
    private final Nodes nodes;

    KeyOrder(Verdict verdict, Nodes nodes) {
        this.verdict = verdict;
        this.nodes = nodes;
    }

    /** Those of one key, in any order. */
    void judge(List<Story> ofOneKey) {
        Story before = null;
        for (Story story : ofOneKey.stream()
                .filter(s -> valid(s).findAny().isPresent())
                .sorted(Comparator.comparingLong(s -> s.seq))
                .toList()) {
            boolean holds = before == null || isAfter(before, story);
            verdict.check(
                    Invariant.ONE_AT_A_TIME, holds, holds ? "" : before + "\n    had not ended before\n    " + story);
            before = story;
        }
    }

    private boolean isAfter(Story before, Story story) {
        Start last = valid(before).max(BY_TIME).orElseThrow();
        Start first = valid(story).min(BY_TIME).orElseThrow();
        return last.at <= first.at
                && (DEAF.contains(before.deed) || nodes.wasBuried(last.node, first.at) || !last.isRunningAt(first.at));
    }

    private Stream<Start> valid(Story story) {
        return story.starts.stream().filter(this::isValid);
    }

    /** A node that was frozen between its claim and the handler may start it when it wakes up, buried: that changes nothing any more. */
    private boolean isValid(Start start) {
        return !nodes.wasBuried(start.node, start.at);
    }
}
