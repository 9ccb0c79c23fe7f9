package io.acidq.chaos.audit;

import io.acidq.chaos.role.HandlerAction;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Judges the messages of one ordering key: the next starts when the one before it has ended for good. */
final class KeyOrderAudit {

    /** Whose handlers may be given up while they still run. */
    private static final Set<HandlerAction> DEAF = EnumSet.of(HandlerAction.ENDLESS, HandlerAction.GREEDY);

    private static final Comparator<HandlerStart> BY_TIME = Comparator.comparingLong(s -> s.at);

    private final InvariantResults invariantResults;
    private final DeadNodes deadNodes;

    KeyOrderAudit(InvariantResults invariantResults, DeadNodes deadNodes) {
        this.invariantResults = invariantResults;
        this.deadNodes = deadNodes;
    }

    /** Those of one key, in any order. */
    void check(List<MessageHistory> ofOneKey) {
        MessageHistory before = null;
        for (MessageHistory messageHistory : ofOneKey.stream()
                .filter(s -> valid(s).findAny().isPresent())
                .sorted(Comparator.comparingLong(s -> s.seq))
                .toList()) {
            boolean holds = before == null || isAfter(before, messageHistory);
            invariantResults.check(
                    Invariant.ONE_AT_A_TIME,
                    holds,
                    holds ? "" : before + "\n    had not ended before\n    " + messageHistory);
            before = messageHistory;
        }
    }

    private boolean isAfter(MessageHistory before, MessageHistory messageHistory) {
        HandlerStart last = valid(before).max(BY_TIME).orElseThrow();
        HandlerStart first = valid(messageHistory).min(BY_TIME).orElseThrow();
        return last.at <= first.at
                && (DEAF.contains(before.handlerAction)
                        || deadNodes.wasDeclaredDead(last.node, first.at)
                        || !last.isRunningAt(first.at));
    }

    private Stream<HandlerStart> valid(MessageHistory messageHistory) {
        return messageHistory.handlerStarts.stream().filter(this::isValid);
    }

    /** A node that was frozen between claim and handler may start the handler after it was declared dead: that run changes nothing. */
    private boolean isValid(HandlerStart handlerStart) {
        return !deadNodes.wasDeclaredDead(handlerStart.node, handlerStart.at);
    }
}
