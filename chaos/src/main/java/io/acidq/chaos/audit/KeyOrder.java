package io.acidq.chaos.audit;

import io.acidq.chaos.role.Deed;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges the messages of one ordering key: the next starts when the one before it has ended for good. */
final class KeyOrder {

    /** Whose handlers may be given up while they still run. */
    private static final Set<Deed> DEAF = EnumSet.of(Deed.ENDLESS, Deed.GREEDY);

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
                .filter(s -> s.starts.stream().anyMatch(this::isValid))
                .sorted(Comparator.comparingLong(s -> s.seq))
                .toList()) {
            boolean holds = before == null || isAfter(before, story);
            verdict.check(
                    Invariant.ONE_AT_A_TIME, holds, holds ? "" : before + "\n    had not ended before\n    " + story);
            before = story;
        }
    }

    private boolean isAfter(Story before, Story story) {
        Start last = last(before);
        Start first = story.starts.stream()
                .filter(this::isValid)
                .min(Comparator.comparingLong(s -> s.at))
                .orElseThrow();
        if (last == null || first.at < last.at) {
            return last == null;
        }
        return DEAF.contains(before.deed)
                || nodes.wasBuried(last.node, first.at)
                || (last.endedAt != Start.NEVER && last.endedAt <= first.at);
    }

    private @Nullable Start last(Story story) {
        return story.starts.stream()
                .filter(this::isValid)
                .max(Comparator.comparingLong(s -> s.at))
                .orElse(null);
    }

    /** A node that was frozen between its claim and the handler may start it when it wakes up, buried: that changes nothing any more. */
    private boolean isValid(Start start) {
        return !nodes.wasBuried(start.node, start.at);
    }
}
