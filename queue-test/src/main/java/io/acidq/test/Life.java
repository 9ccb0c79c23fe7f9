package io.acidq.test;

import io.acidq.MessageId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One simulated process: passes points until it dies at one of them, and does nothing from then on. Confined to the thread that drains. */
final class Life {

    private final @Nullable Point end;
    private final Findings findings;
    private boolean dead;

    Life(@Nullable Point end, Findings findings) {
        this.end = end;
        this.findings = findings;
    }

    void reach(Point point) {
        goOn();
        if (point == end) {
            dead = true;
            throw new SimulatedDeath(point);
        }
    }

    /** Whatever would reach the database, or the handler, after the end does not. */
    void goOn() {
        if (dead && end != null) {
            throw new SimulatedDeath(end);
        }
    }

    void threw(MessageId id, Throwable failure) {
        findings.threw(id, failure);
    }

    boolean isDead() {
        return dead;
    }

    Optional<Point> death() {
        return dead ? Optional.ofNullable(end) : Optional.empty();
    }
}
