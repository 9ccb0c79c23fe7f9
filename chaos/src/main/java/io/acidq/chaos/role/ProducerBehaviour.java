package io.acidq.chaos.role;

import io.acidq.Priority;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The messages that producers send.
 *
 * @param seed          of all random decisions
 * @param perSecond     messages a second of each thread
 * @param faultyActions one message in {@code oneIn} has one of these
 * @param publishIn     one transaction in this number publishes its messages to the topic; with 0 none does
 * @param expireIn      one message in this number has a time to live, if it has no ordering key; with 0 none has
 * @param cancelIn      one message in this number is cancelled, and of the scheduled ones more, or they are withdrawn or rescheduled; with 0 none is
 */
public record ProducerBehaviour(
        long seed,
        int perSecond,
        Set<HandlerAction> faultyActions,
        int oneIn,
        int publishIn,
        int expireIn,
        int cancelIn) {

    /** Longer than any run is expected to take: such a message must not expire. */
    private static final long LONG_MILLIS = TimeUnit.DAYS.toMillis(30);

    private static final int SHORT_MILLIS = 1500;

    private static final int PRIORITY_IN = 5;
    private static final int SCHEDULED_MORE_OFTEN = 5;

    boolean choosePublish(Random random) {
        return publishIn > 0 && random.nextInt(publishIn) == 0;
    }

    /** The milliseconds from the due time to the expiry: often none, else long, or so short that some messages expire. */
    long chooseExpiry(Random random) {
        if (expireIn == 0 || random.nextInt(expireIn) != 0) {
            return 0;
        }
        return random.nextBoolean() ? LONG_MILLIS : 1 + random.nextInt(SHORT_MILLIS);
    }

    Priority choosePriority(Random random) {
        if (random.nextInt(PRIORITY_IN) != 0) {
            return Priority.NORMAL;
        }
        return random.nextBoolean() ? Priority.HIGH : Priority.LOW;
    }

    /** Chooses scheduled messages more often, because there are few of them. */
    boolean chooseChange(Random random, boolean isScheduled) {
        return cancelIn > 0
                && random.nextInt(isScheduled ? Math.max(1, cancelIn / SCHEDULED_MORE_OFTEN) : cancelIn) == 0;
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
