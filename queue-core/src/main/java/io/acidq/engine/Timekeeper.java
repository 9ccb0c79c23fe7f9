package io.acidq.engine;

import io.acidq.MessageId;
import io.acidq.store.ClaimedMessage;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Holds the handlers of one queue to their timeout: interrupts the thread, a grace later breaks its connection, another grace later gives
 * the run up and has its worker replaced. Whatever the thread does afterwards, its acknowledgement hits nothing.
 */
final class Timekeeper implements Duty {

    private final Listener<?> listener;
    private final Crew crew;
    private final Completer completer;
    private final LongSupplier nanoTime;
    private final long limit;
    private final long grace;

    Timekeeper(Listener<?> listener, Duration limit, Crew crew, Completer completer, LongSupplier nanoTime) {
        this.listener = listener;
        this.crew = crew;
        this.completer = completer;
        this.nanoTime = nanoTime;
        this.limit = limit.toNanos();
        this.grace = listener.options().grace().toNanos();
    }

    @Override
    public String name() {
        return "timekeeper-" + listener.queue();
    }

    @Override
    public Duration runOnce() {
        long next = limit;
        for (Run run : crew.runs()) {
            Run.Overdue overdue = run.check(nanoTime.getAsLong(), limit, grace);
            if (overdue.toBreak() != null) {
                overdue.toBreak().run();
            }
            if (overdue.hopeless() && run.settle()) {
                giveUp(run);
            }
            next = Math.min(next, overdue.nanosLeft());
        }
        return Duration.ofNanos(next);
    }

    private void giveUp(Run run) {
        ClaimedMessage late = run.late();
        try {
            for (ClaimedMessage message : run.messages()) {
                MessageId id = RunDelivery.idOf(listener.queue(), message);
                HandlerTimeoutException failure = new HandlerTimeoutException(listener, null);
                if (message.equals(late)) {
                    completer.end(id, message, listener.retry().afterFailure(failure, message.attempts()));
                } else {
                    completer.giveBack(id, message, failure);
                }
            }
        } finally {
            crew.replace(run);
        }
    }
}
