package io.acidq.chaos.role;

import java.util.Random;
import java.util.Set;

/**
 * The messages that producers send.
 *
 * @param seed          of all random decisions
 * @param perSecond     messages a second of each thread
 * @param faultyActions one message in {@code oneIn} has one of these
 * @param publishIn     one transaction in this number publishes its messages to the topic; with 0 none does
 */
public record ProducerBehaviour(long seed, int perSecond, Set<HandlerAction> faultyActions, int oneIn, int publishIn) {

    boolean choosePublish(Random random) {
        return publishIn > 0 && random.nextInt(publishIn) == 0;
    }

    /** Chooses faulty actions in turn, so that each of them occurs. */
    HandlerAction chooseAction(Random random, long turn) {
        if (faultyActions.isEmpty() || random.nextInt(oneIn) != 0) {
            return random.nextInt(100) == 0 ? HandlerAction.FLAKY : HandlerAction.PLAIN;
        }
        return faultyActions.stream()
                .sorted()
                .skip(turn % faultyActions.size())
                .findFirst()
                .orElse(HandlerAction.PLAIN);
    }
}
