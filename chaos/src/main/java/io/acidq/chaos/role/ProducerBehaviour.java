package io.acidq.chaos.role;

import java.util.Random;
import java.util.Set;

/**
 * What producers place.
 *
 * @param seed      of all that is random in it
 * @param perSecond errands a second and thread
 * @param misdeeds  one errand in {@link #oneIn} does one of these
 * @param oneIn     how rare misdeeds are
 */
public record ProducerBehaviour(long seed, int perSecond, Set<HandlerAction> misdeeds, int oneIn) {

    /** Misdeeds in turn, so that each of them happens. */
    HandlerAction deed(Random random, long turn) {
        if (misdeeds.isEmpty() || random.nextInt(oneIn) != 0) {
            return random.nextInt(100) == 0 ? HandlerAction.FLAKY : HandlerAction.PLAIN;
        }
        return misdeeds.stream()
                .sorted()
                .skip(turn % misdeeds.size())
                .findFirst()
                .orElse(HandlerAction.PLAIN);
    }
}
