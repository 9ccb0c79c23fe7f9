package io.acidq.mybatis.store;

import io.acidq.store.Due;
import io.acidq.store.EnqueueStore.KeyClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message key as its statements take it.
 *
 * @param due when the message is due, or null when at once
 * @param end the end of the window
 */
record KeyRow(
        int queue, String key, UUID uid, int lane, @Nullable DelayOrTime due, DelayOrTime end) {

    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    /**
     * A time that is known when the statement runs.
     *
     * @param micros from then on
     * @param at     an instant instead, or null
     */
    record DelayOrTime(long micros, @Nullable Instant at) {}

    static KeyRow of(KeyClaim claim) {
        Due due = claim.due();
        return new KeyRow(
                claim.queue(),
                claim.key(),
                claim.uid(),
                claim.lane(),
                due.isNow() ? null : delayOrTime(due),
                end(claim));
    }

    boolean isDueNow() {
        return due == null;
    }

    private static DelayOrTime delayOrTime(Due due) {
        Instant at = due.at();
        Duration delay = due.delay();
        return new DelayOrTime(delay == null ? 0 : Micros.of(delay), at == null ? null : Micros.notBefore(at));
    }

    private static DelayOrTime end(KeyClaim claim) {
        Duration window = claim.window().length();
        if (!claim.window().fromDue()) {
            return new DelayOrTime(Micros.of(window), null);
        }
        Duration delay = claim.due().delay();
        Instant at = claim.due().at();
        Duration fromNow = delay == null ? window : window.plus(delay);
        return new DelayOrTime(Micros.of(fromNow), at == null ? null : latest(Micros.notBefore(at), window));
    }

    private static Instant latest(Instant at, Duration window) {
        return Duration.between(at, LATEST).compareTo(window) < 0 ? LATEST : Micros.notBefore(at.plus(window));
    }
}
