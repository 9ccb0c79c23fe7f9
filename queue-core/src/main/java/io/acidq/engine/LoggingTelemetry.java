package io.acidq.engine;

import io.acidq.MessageId;
import io.acidq.Outcome;
import io.acidq.resilience.GuardState;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The telemetry that is always there: what an operator must know is a warning, the rest is for debugging. */
final class LoggingTelemetry implements Telemetry {

    private static final Logger log = LoggerFactory.getLogger("io.acidq");

    @Override
    public void finished(MessageId id, Outcome outcome, Duration took) {
        outcome.match(new Outcome.Cases<Void>() {
            @Override
            public Void done() {
                log.trace("done {} in {}", id, took);
                return null;
            }

            @Override
            public Void retry(Duration delay, String cause) {
                log.info("retry {} in {}: {}", id, delay, cause);
                return null;
            }

            @Override
            public Void snooze(Duration delay, String why) {
                log.debug("snoozed {} for {}: {}", id, delay, why);
                return null;
            }

            @Override
            public Void cancelled(String why) {
                log.info("cancelled {}: {}", id, why);
                return null;
            }

            @Override
            public Void dead(String cause) {
                log.warn("dead letter {}: {}", id, cause);
                return null;
            }
        });
    }

    @Override
    public void gaveBack(MessageId id, Throwable cause) {
        log.debug("gave back {}", id, cause);
    }

    @Override
    public void claimedInVain(MessageId id, int claims) {
        log.warn(
                "{} has been claimed {} times without a counted attempt: snoozed or given back again and again",
                id,
                claims);
    }

    @Override
    public void guardChanged(String queue, GuardState state) {
        if (state.kind() == GuardState.Kind.RATE_LIMIT) { // at full load twice in each period
            log.debug("queue {}: {}", queue, state);
        } else if (state.status() == GuardState.Status.STOPS) {
            log.warn("queue {} claims nothing here: {}", queue, state);
        } else {
            log.info("queue {}: {}", queue, state);
        }
    }

    @Override
    public void fenced(MessageId id) {
        log.info("the claim of {} was lost while it ran: rolled back", id);
    }

    @Override
    public void registered(int node) {
        log.info("registered as node {}", node);
    }

    @Override
    public void buried(int node) {
        log.warn("node {} (this engine) had been declared dead: its claims are dropped, it registers anew", node);
    }

    @Override
    public void buriedOther(int node) {
        log.warn("node {} beats no more: declared dead", node);
    }

    @Override
    public void rescued(int node, int messages) {
        log.info("freed {} claims of dead node {}", messages, node);
    }

    @Override
    public void reconciled(int messages) {
        log.info("gave back {} claims of this node that nothing here knew of", messages);
    }

    @Override
    public void replayed(String queue, int letters, String who) {
        log.info("{} replayed {} dead letters of queue {}", who, letters, queue);
    }

    @Override
    public void discarded(String queue, int letters, String who) {
        log.warn("{} discarded {} dead letters of queue {}", who, letters, queue);
    }

    @Override
    public void pruned(String what, int rows) {
        log.debug("removed {} old rows: {}", rows, what);
    }

    @Override
    public void failing(String duty, Throwable cause) {
        log.warn("{} fails and is tried again until it works", duty, cause);
    }

    @Override
    public void recovered(String duty) {
        log.info("{} works again", duty);
    }
}
