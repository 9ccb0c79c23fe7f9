package io.acidq.engine.work;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.store.Claim;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimedMessage;
import io.acidq.store.DatabaseError;
import io.acidq.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes how a run ended when the handler's transaction was rolled back. Each end is a compare-and-set on the claim; when even that
 * fails, the reconciler finds the claim later and gives it back. Whatever happens, no follower of a message starts here unless the end of
 * that message is written.
 */
final class Completer {

    private static final long FIRST_WAIT_MILLIS = 5;
    private static final int LONGEST_SHIFT = 9;
    private static final int VAIN_CLAIMS_TOLD = 100;
    private static final int LONGEST_SAYING = 500;

    private final ClaimStore claims;
    private final Buffer buffer;
    private final Runnable reconcile;
    private final Telemetry telemetry;

    Completer(ClaimStore claims, Buffer buffer, Runnable reconcile, Telemetry telemetry) {
        this.claims = claims;
        this.buffer = buffer;
        this.reconcile = reconcile;
        this.telemetry = telemetry;
    }

    /** Writes an outcome other than done; null when the claim had been lost. Throws when the database can not be reached. */
    @Nullable
    Outcome end(MessageId id, ClaimedMessage message, Outcome outcome) {
        Outcome written = outcome;
        boolean won;
        try {
            won = write(message, outcome);
        } catch (RuntimeException e) {
            leaveToTheReconciler(message);
            DatabaseError error = DatabaseError.of(e);
            if (error != null && error != DatabaseError.REFUSED) {
                throw e; // about the database, not about this outcome
            }
            // it would be refused again: without an end the message would run for ever
            written = Outcome.dead(unwritable(outcome, e));
            won = write(message, written);
        }
        if (!won) {
            fenced(id, message);
            return null;
        }
        if (written instanceof Outcome.Snooze) {
            tellOfVain(id, message);
        }
        return written;
    }

    /** Without what was refused: that would be refused again. */
    private static String unwritable(Outcome outcome, RuntimeException why) {
        String said = String.valueOf(why.getMessage()).replaceAll("[^\\x20-\\x7E]", "?");
        String kind = outcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return "its outcome (" + kind + ") could not be written: "
                + why.getClass().getName() + ": " + said.substring(0, Math.min(said.length(), LONGEST_SAYING));
    }

    private boolean write(ClaimedMessage message, Outcome outcome) {
        return outcome.match(new Outcome.Cases<Boolean>() {
            @Override
            public Boolean done() {
                return true;
            }

            @Override
            public Boolean retry(Duration delay, String cause) {
                // taken out first: no follower may start once its head is no longer claimed
                return claims.retryIfClaimed(message, delay, buffer.removeFollowers(message.orderKey()));
            }

            @Override
            public Boolean snooze(Duration delay, String why) {
                return claims.snoozeIfClaimed(message, delay, buffer.removeFollowers(message.orderKey()));
            }

            @Override
            public Boolean cancelled(String why) {
                return claims.cancelIfClaimed(message.claim());
            }

            @Override
            public Boolean dead(String cause) {
                return claims.deadIfClaimed(message.claim(), cause, buffer.removeFollowers(message.orderKey()));
            }
        });
    }

    /** Gives a message back with its attempt, and with an ordering key the followers that wait here. */
    void giveBack(MessageId id, ClaimedMessage message, Throwable cause) {
        giveBack(id, message, wait(message), cause);
    }

    /**
     * The same with another wait.
     *
     * @param wait how long nobody claims it
     */
    void giveBack(MessageId id, ClaimedMessage message, Duration wait, Throwable cause) {
        List<Claim> together = new ArrayList<>();
        together.add(message.claim());
        together.addAll(buffer.removeFollowers(message.orderKey()));
        boolean won;
        try {
            won = claims.giveBackIfClaimed(together, wait) > 0;
        } catch (RuntimeException e) {
            leaveToTheReconciler(message);
            throw e;
        }
        if (won) {
            telemetry.gaveBack(id, cause);
            tellOfVain(id, message);
        } else {
            fenced(id, message);
        }
    }

    /** What was done for several messages together is lost, and is done again for each alone. */
    void oneByOne(String queue, int messages, Throwable cause) {
        telemetry.oneByOne(queue, messages, cause);
    }

    /** The claim was lost while the message ran. */
    void fenced(MessageId id, ClaimedMessage message) {
        leaveToTheReconciler(message);
        telemetry.fenced(id);
    }

    /** Neither snoozes nor passing errors have a limit of their own: so at least nobody shall overlook them. */
    private void tellOfVain(MessageId id, ClaimedMessage message) {
        int vain = vain(message) + 1; // this one's attempt is given back
        if (vain % VAIN_CLAIMS_TOLD == 0) {
            telemetry.claimedInVain(id, vain);
        }
    }

    /** The earlier claims that came to nothing: those that did not count as attempts or deaths. */
    static int vain(ClaimedMessage message) {
        return Math.max(0, message.claim().claimNo() - message.attempts() - message.deaths());
    }

    /** Its end is not written by this run: its followers must not start here before somebody else has written one. */
    void leaveToTheReconciler(ClaimedMessage message) {
        buffer.removeFollowers(message.orderKey());
        reconcile.run();
    }

    /** Longer with each claim that came to nothing. */
    private static Duration wait(ClaimedMessage message) {
        long ceiling = FIRST_WAIT_MILLIS << Math.min(vain(message), LONGEST_SHIFT);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
    }
}
