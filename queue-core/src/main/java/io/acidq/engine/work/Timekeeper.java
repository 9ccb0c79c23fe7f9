package io.acidq.engine.work;

import io.acidq.HandlerTimeoutException;
import io.acidq.config.Listener;
import io.acidq.engine.duty.Duty;
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
    private final Judge judge;
    private final LongSupplier nanoTime;
    private final long limit;
    private final long grace;

    Timekeeper(Listener<?> listener, Duration limit, Crew crew, Judge judge, LongSupplier nanoTime) {
        this.listener = listener;
        this.crew = crew;
        this.judge = judge;
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
        if (late == null) {
            crew.separate(run);
        }
        try {
            for (ClaimedMessage message : run.messages()) {
                if (message.equals(late)) {
                    crew.ended(
                            message,
                            judge.late(run, message, null),
                            Duration.ofNanos(nanoTime.getAsLong() - run.began()));
                } else {
                    judge.giveBack(
                            message,
                            new HandlerTimeoutException(
                                    listener.queue(), listener.options().timeout(), null));
                }
            }
        } catch (RuntimeException e) {
            crew.keepFollowersBack(run);
            throw e;
        } finally {
            crew.replace(run);
        }
    }
}
