package io.acidq.chaos.role;

import java.util.Random;
import java.util.Set;

/**
 * What producers place.
 *
 * @param seed      of all that is random in it
 * @param perSecond errands a second and thread
 * @param faultyActions  one errand in {@link #oneIn} does one of these
 * @param oneIn     how rare misdeeds are
 */
public record ProducerBehaviour(long seed, int perSecond, Set<HandlerAction> faultyActions, int oneIn) {

    /** Misdeeds in turn, so that each of them happens. */
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
