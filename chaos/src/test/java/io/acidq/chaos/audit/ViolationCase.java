package io.acidq.chaos.audit;

import static io.acidq.chaos.audit.Invariant.*;
import static io.acidq.chaos.audit.Invariant.RECEIPT_IS_RIGHT;
import static io.acidq.chaos.audit.Invariant.RESULT_OF_THE_EFFECT;

import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.Journal;
import io.acidq.chaos.role.Journal.Phase;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** Changes of a correct run, which each break one invariant and as few others as possible. */
enum ViolationCase {
    LOST(COMMITTED_ENDS_ONCE, run -> {
        run.intent("x", null, 9, HandlerAction.PLAIN);
        run.ends(Phase.OK, "x");
    }),
    DEAD_THOUGH_IT_COULD_SUCCEED(ENDS_AS_ITS_ACTION_ASKS, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5);
        run.dead("x", 1, 0, 1);
    }),
    STARTED_THOUGH_ROLLED_BACK(FAILED_IS_INVISIBLE, run -> run.ran(1, "rolled-back", 1, 1, 1, 5)),
    STARTED_THOUGH_NEVER_COMMITTED(UNKNOWN_IS_ALL_OR_NOTHING, run -> run.ran(1, "killed", 1, 1, 1, 5)),
    TWICE(ONE_EFFECT, run -> run.effect("plain", null, 1, 1, 1), COMMITTED_ENDS_ONCE),
    DONE_AND_STILL_THERE(DONE_IS_GONE, run -> run.waiting("plain", 0), DRAINED, CONSERVED),
    A_KEY_OF_NOBODY(
            NOTHING_FROM_NOWHERE,
            run -> run.sql("INSERT INTO acidq_key (queue, p_key, uid, lane, kept_until, taken_at) VALUES (1, 'nobody',"
                    + " UNHEX(LEFT(SHA2('nobody', 256), 32)), 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))")),
    A_START_OF_NOBODY(NOTHING_FROM_NOWHERE, run -> run.ran(1, "nobody", 1, 1, 1, 5)),
    DEAD_TWICE(CONSERVED, run -> {
        run.sent("x", null, 9, HandlerAction.FAIL);
        for (int attempt = 1; attempt <= 4; attempt++) {
            run.ran(1, "x", 1, attempt, attempt, attempt);
        }
        run.dead("x", 4, 0, 4);
        run.sql("DO SLEEP(0.001)"); // the time of the dead-lettering is part of the primary key
        run.dead("x", 4, 0, 4);
    }),
    OUT_OF_ORDER(IN_ORDER, run -> {
        run.sent("x", "j", 9, HandlerAction.PLAIN);
        run.done("y", "j", 10);
        run.ran(1, "x", 1, 1, 1, 5);
        run.effect("x", "j", 9, 1, 1);
    }),
    TWO_OF_A_KEY_AT_ONCE(ONE_AT_A_TIME, run -> {
        run.sent("x", "j", 9, HandlerAction.PLAIN);
        run.sent("y", "j", 10, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5, 9);
        run.ran(2, "y", 2, 1, 1, 7, 12);
        run.effect("x", "j", 9, 1, 1);
        run.effect("y", "j", 10, 2, 1);
    }),
    A_FOLLOWER_OF_A_HEAD_THAT_GOES_ON(ONE_AT_A_TIME, run -> {
        run.sent("x", "j", 4, HandlerAction.FAIL);
        run.sent("y", "j", 10, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 100);
        run.ran(2, "y", 2, 1, 1, 150);
        run.effect("y", "j", 10, 2, 1);
        for (int attempt = 2; attempt <= 4; attempt++) {
            run.ran(1, "x", 1, attempt, attempt, 100L * attempt);
        }
        run.dead("x", 4, 0, 4);
    }),
    PUBLISHED_TO_SOME_SUBSCRIPTIONS(ALL_SUBSCRIPTIONS_OR_NONE, run -> {
        run.done("x@first", null, 9);
        run.done("x@second", null, 9);
        run.intent("x@failing", null, 9, HandlerAction.FAIL);
    }),
    TOO_EARLY(
            NOT_EARLY,
            run -> run.sql("UPDATE chaos_effect e JOIN chaos_business b ON b.p_key = e.p_key"
                    + " SET e.at = b.due_at - INTERVAL 1 MICROSECOND WHERE e.p_key = 'plain'")),
    STARTED_TOO_EARLY(
            NOT_EARLY,
            run -> run.sql("UPDATE chaos_business SET due_at = " + HandwrittenRun.at(10_000_000_000L)
                    + " WHERE p_key = 'plain'")),
    DEAD_TOO_EARLY(
            NOT_EARLY,
            run -> run.sql("UPDATE acidq_dead d JOIN chaos_business b ON b.p_key = CONVERT(d.p_key USING utf8mb4)"
                    + " SET d.died_at = b.due_at - INTERVAL 1 MICROSECOND WHERE d.p_key = 'failing'")),
    DEAD_TOO_SOON(DEAD_AFTER_ALL_ATTEMPTS, run -> run.failing("x", 3)),
    GIVEN_UP_TOO_SOON(DEAD_AFTER_ALL_ATTEMPTS, run -> {
        run.sent("x", null, 9, HandlerAction.ENDLESS);
        run.ran(1, "x", 1, 1, 1, 5);
        run.dead("x", 1, 0, 1);
    }),
    A_CRASH_NOT_COUNTED(ENDS_AS_ITS_ACTION_ASKS, run -> {
        run.sent("x", null, 9, HandlerAction.HALT_ONCE);
        run.line(2, Phase.START, "x", 1, 0, 1, 7, "id-x", 50L);
        run.node(7, "DEAD", 60);
        run.ran(1, "x", 1, 2, 1, 90);
        run.effect("x", null, 9, 1, 2);
    }),
    QUARANTINED_TOO_SOON(DEAD_AFTER_ALL_CRASHES, run -> run.halting("x", 2)),
    QUARANTINED_FOR_NOTHING(CRASHES_ARE_OF_ENDED_NODES, run -> {
        run.sent("x", null, 9, HandlerAction.HALT);
        run.line(2, Phase.START, "x", 1, 0, 1, 7, "id-x", 50L);
        run.node(7, "DEAD", 60);
        run.dead("x", 0, 3, 1);
    }),
    DEAD_OF_CRASHES_OF_NO_NODE(CRASHES_ARE_OF_ENDED_NODES, run -> {
        run.sent("x", null, 9, HandlerAction.FAIL);
        run.ran(1, "x", 1, 1, 1, 5);
        run.dead("x", 1, 3, 1);
    }),
    DEAD_WITHOUT_A_START(CRASHES_ARE_OF_ENDED_NODES, run -> {
        run.sent("x", null, 9, HandlerAction.ENDLESS);
        run.dead("x", 0, 3, 1);
    }),
    QUARANTINED_FOR_A_NODE_THAT_LIVES(
            CRASHES_ARE_OF_ENDED_NODES,
            run -> run.sql("UPDATE acidq_node SET state = 'ALIVE' WHERE id = 12"),
            NO_NODE_LEFT,
            ONE_LIVE_CLAIM),
    COUNTED_TWICE(ATTEMPTS_ARE_STARTS, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 2, 5);
        run.effect("x", null, 9, 1, 1);
    }),
    AN_ATTEMPT_FORGOTTEN(ATTEMPTS_ARE_STARTS, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        for (int claim = 1; claim <= 3; claim++) {
            run.ran(1, "x", 1, claim, 1, claim);
            run.line(1, Phase.RETRIED, "id-x", 1L + claim);
        }
        run.ran(1, "x", 1, 4, 1, 9);
        run.effect("x", null, 9, 1, 4);
    }),
    REQUEUED_WITHOUT_ITS_ATTEMPT(ATTEMPTS_ARE_STARTS, run -> {
        run.sent("x", null, 9, HandlerAction.FAIL);
        for (int claim = 1; claim <= 4; claim++) {
            run.ran(1, "x", 1, claim, claim, 10L * claim);
            if (claim < 4) {
                run.line(1, Phase.REQUEUED, "id-x", 10L * claim + 2);
            }
        }
        run.dead("x", 4, 0, 4);
    }),
    DEAD_OF_REQUEUED_ATTEMPTS(ATTEMPTS_ARE_STARTS, run -> {
        run.failing("x", 4);
        run.line(1, Phase.REQUEUED, "id-x", 402L);
    }),
    ATTEMPTS_THAT_FALL(CLAIMS_RISE, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5);
        run.ran(1, "x", 1, 2, 2, 7);
        run.ran(1, "x", 1, 3, 1, 9);
        run.effect("x", null, 9, 1, 3);
    }),
    ONE_CLAIM_FOR_TWO(ONE_NODE_PER_CLAIM, run -> {
        run.done("x", null, 9);
        run.ran(2, "x", 2, 1, 1, 95);
    }),
    TAKEN_FROM_THE_LIVING(ONE_LIVE_CLAIM, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5, 9);
        run.ran(2, "x", 2, 2, 1, 7);
        run.effect("x", null, 9, 2, 2);
    }),
    TAKEN_FROM_ONE_DECLARED_DEAD_LATER(ONE_LIVE_CLAIM, run -> {
        TAKEN_FROM_THE_LIVING.runChange.change(run);
        run.node(1, "DEAD", 600_000_000_000L);
    }),
    TAKEN_FROM_ONE_THAT_REQUEUES_IT_LATER(ONE_LIVE_CLAIM, run -> {
        TAKEN_FROM_THE_LIVING.runChange.change(run);
        run.line(1, Phase.REQUEUED, "id-x", 9L);
    }),
    TAKEN_FROM_ONE_THAT_RETRIES_A_LATER_CLAIM(ONE_LIVE_CLAIM, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5, 900);
        run.ran(2, "x", 2, 2, 1, 7, 8);
        run.line(2, Phase.REQUEUED, "id-x", 9L);
        run.ran(1, "x", 1, 3, 1, 1000);
        run.line(1, Phase.RETRIED, "id-x", 1002L);
        run.ran(2, "x", 2, 4, 2, 2000);
        run.effect("x", null, 9, 2, 4);
    }),
    TWO_CLAIMS_OF_ONE_NODE_AT_ONCE(ONE_LIVE_CLAIM, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5, 90);
        run.ran(1, "x", 1, 2, 1, 7, 91);
        run.ran(1, "x", 1, 3, 1, 8, 92);
        run.effect("x", null, 9, 1, 3);
    }),
    TAKEN_WHILE_IT_NEVER_RETURNED(ONE_LIVE_CLAIM, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.line(1, Phase.START, "x", 1, 0, 1, 1, "id-x", 5L);
        run.ran(2, "x", 2, 2, 1, 7);
        run.effect("x", null, 9, 2, 2);
    }),
    ONE_CLAIM_TWICE_AT_ONCE(ONE_NODE_PER_CLAIM, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5, 9);
        run.ran(1, "x", 1, 1, 1, 7, 10);
        run.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_OF_ANOTHER_NUMBER(EFFECT_AS_MEANT, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.ran(1, "x", 1, 1, 1, 5);
        run.effect("x", null, 8, 1, 1);
    }),
    A_LETTER_OF_ANOTHER_KEY(
            EFFECT_AS_MEANT, run -> run.sql("UPDATE acidq_dead SET order_key = 'other' WHERE p_key = 'failing'")),
    A_LETTER_OF_ANOTHER_TYPE(
            EFFECT_AS_MEANT, run -> run.sql("UPDATE acidq_dead SET type = 'bogus' WHERE p_key = 'failing'")),
    A_LETTER_THAT_IS_GARBLED(
            EFFECT_AS_MEANT, run -> run.sql("UPDATE acidq_dead SET payload = 'garbage' WHERE p_key = 'failing'")),
    A_LETTER_OF_ANOTHER_NUMBER(
            EFFECT_AS_MEANT,
            run -> run.sql("UPDATE acidq_dead SET payload = REPLACE(payload, '\"seq\":4', '\"seq\":5') WHERE p_key ="
                    + " 'failing'")),
    FROM_NO_START(EFFECT_OF_A_START, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_OF_WHAT_THREW(EFFECT_OF_SUCCESS, run -> {
        run.sent("x", null, 9, HandlerAction.FLAKY);
        run.ran(1, "x", 1, 1, 1, 5);
        run.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_BEFORE_A_DEADLOCK(EFFECT_OF_SUCCESS, run -> {
        run.sent("x", null, 9, HandlerAction.SWALLOW_DEADLOCK);
        run.line(1, Phase.START, "x", 1, 0, 1, 1, "id-x", 5L);
        run.line(1, Phase.SWALLOWED, "x", 1, 1);
        run.line(1, Phase.RETURNED, "x", 1, 1, 6L, Journal.DONE);
        run.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_OF_WHAT_NEVER_RETURNED(EFFECT_OF_SUCCESS, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.line(1, Phase.START, "x", 1, 0, 1, 1, "id-x", 5L);
        run.effect("x", null, 9, 1, 1);
    }),
    STARTED_AFTER_ITS_END(ENDED_BY_THE_LAST_CLAIM, run -> {
        run.done("x", null, 9);
        run.ran(2, "x", 2, 2, 1, 200);
    }),
    EFFECT_OF_A_DEAD_NODE(NOTHING_FROM_THE_DEAD, run -> run.counted("plain", 1)),
    EFFECT_OF_A_DEAD_NODE_THAT_HAS_A_ROW(NOTHING_FROM_THE_DEAD, run -> {
        run.node(1, "DEAD", 60_000_000_000L);
        run.counted("plain", 1);
    }),
    A_KEY_GIVEN_AWAY(KEYS_AS_BOOKED, run -> run.sql("DELETE FROM acidq_key WHERE p_key = 'plain'")),
    A_KEY_OF_ANOTHER_MESSAGE(
            KEYS_AS_BOOKED, run -> run.sql("UPDATE acidq_key SET uid = REPEAT('z', 16) WHERE p_key = 'plain'")),
    A_MARKER_FOR_NOBODY(PLACES_ARE_HELD, run -> run.waiting("gone", 1)),
    A_TICK_LOST(ONE_MESSAGE_PER_TICK, run -> run.ticked(6, "SKIPPED", 0)),
    A_TICK_WITHOUT_ITS_MESSAGE(ONE_MESSAGE_PER_TICK, run -> run.ticked(5, "ENQUEUED", 0)),
    A_TICK_TWICE(ONE_MESSAGE_PER_TICK, run -> run.ranForTick(3)),
    A_MESSAGE_FOR_NO_TICK(ONE_MESSAGE_PER_TICK, run -> run.ranForTick(2)),
    A_TICK_TOO_EARLY(NO_TICK_EARLY, run -> run.sql("UPDATE acidq_tick SET done_at = tick_at - INTERVAL 1 MICROSECOND")),
    A_TICK_RUN_TOO_EARLY(NO_TICK_EARLY, run -> run.sql("UPDATE chaos_tick SET at = tick_at - INTERVAL 1 MICROSECOND")),
    A_DONE_MESSAGE_COUNTED_TWICE(
            HISTORY_NEVER_ABOVE,
            run -> run.sql(
                    "INSERT INTO acidq_history (step, queue, at, done) VALUES (10, 1, '2031-05-01 12:00:00', 100000)")),
    AN_ENQUEUE_COUNTED_TWICE(
            HISTORY_NEVER_ABOVE,
            run -> run.sql(
                    "INSERT INTO acidq_history (step, queue, at, enqueued) VALUES (60, 1, '2031-05-01 12:00:00', 100000)")),
    A_WRONG_YES(RECEIPT_IS_RIGHT, run -> run.answered("x", "YES")),
    A_WRONG_NO(RECEIPT_IS_RIGHT, run -> {
        run.done("x", null, 9);
        run.line(0, Phase.UNKNOWN, "x");
        run.line(0, Phase.ANSWERED, "x", "NO");
    }),
    A_RESULT_OF_ANOTHER_RUN(
            RESULT_OF_THE_EFFECT, run -> run.sql("UPDATE acidq_receipt SET result = '2' WHERE state = 'DONE'")),
    A_RECEIPT_THAT_IS_PENDING_AFTER_THE_END(
            RESULT_OF_THE_EFFECT,
            run -> run.sql("UPDATE acidq_receipt SET state = 'PENDING', result = NULL WHERE state = 'DONE'")),
    A_RECEIPT_LOST(RESULT_OF_THE_EFFECT, run -> run.sql("DELETE FROM acidq_receipt WHERE state = 'DONE'")),
    STARTED_AFTER_ITS_EXPIRY(NOT_AFTER_EXPIRY, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.expiring("x", HandwrittenRun.SECOND);
        run.ran(1, "x", 1, 1, 1, 5);
        run.effect("x", null, 9, 1, 1);
        run.receipt("x", "DONE", "1");
    }),
    LOST_THOUGH_IT_MAY_HAVE_EXPIRED(
            COMMITTED_ENDS_ONCE, run -> run.expired("x", HandwrittenRun.SECOND, "PENDING"), CONSERVED),
    EXPIRED_TOO_SOON(
            COMMITTED_ENDS_ONCE,
            run -> run.expired("x", 30 * 86400 * HandwrittenRun.SECOND, "EXPIRED"),
            CONSERVED,
            RESULT_OF_THE_EFFECT),
    EXPIRED_WITHOUT_AN_EXPIRY(
            COMMITTED_ENDS_ONCE,
            run -> {
                run.sent("x", null, 9, HandlerAction.PLAIN);
                run.line(0, Phase.INTENT, "x", "null", 9, HandlerAction.PLAIN, true, 0);
                run.ends(Phase.OK, "x");
                run.receipt("x", "EXPIRED", null);
            },
            CONSERVED,
            RESULT_OF_THE_EFFECT),
    DEAD_OF_AN_EXPIRY_THAT_IS_FAR(ENDS_AS_ITS_ACTION_ASKS, run -> {
        run.sent("x", null, 9, HandlerAction.FLAKY);
        run.expiring("x", 30 * 86400 * HandwrittenRun.SECOND);
        run.ran(1, "x", 1, 1, 1, 5);
        run.dead("x", 1, 0, 1, "no start is left before its expiry at noon");
        run.receipt("x", "DEAD", null);
    }),
    LOST_THOUGH_A_CANCEL_CAME_TOO_LATE(
            COMMITTED_ENDS_ONCE,
            run -> {
                run.sent("x", null, 9, HandlerAction.PLAIN);
                run.cancelWithoutRecord("x", "GONE");
            },
            CONSERVED),
    LOST_THOUGH_A_CANCEL_DID_NOT_COMMIT(
            COMMITTED_ENDS_ONCE,
            run -> {
                run.sent("x", null, 9, HandlerAction.PLAIN);
                run.line(0, Phase.CANCELLING, "x");
            },
            CONSERVED),
    CANCELLED_BY_NOBODY(
            COMMITTED_ENDS_ONCE,
            run -> {
                run.expired("x", HandwrittenRun.SECOND, "CANCELLED");
            },
            CONSERVED,
            RESULT_OF_THE_EFFECT),
    STARTED_AFTER_ITS_CANCEL(CANCELLED_STAYS, run -> {
        run.cancelled("x", "CANCELLED");
        run.ran(1, "x", 1, 1, 1, HandwrittenRun.CANCELLED_AT + 1);
    }),
    DONE_THOUGH_CANCELLED(CANCELLED_STAYS, run -> {
        run.done("x", null, 9);
        run.cancel("x", "CANCELLED");
    }),
    CANCELLED_WITHOUT_A_RECORD(
            CANCELLED_STAYS,
            run -> {
                run.sent("x", null, 9, HandlerAction.PLAIN);
                run.cancelWithoutRecord("x", "CANCELLED");
            },
            COMMITTED_ENDS_ONCE,
            CONSERVED),
    RETRIED_AFTER_IT_WAS_ASKED_TO_STOP(CANCELLED_STAYS, run -> {
        run.sent("x", null, 9, HandlerAction.FLAKY);
        run.cancel("x", "REQUESTED");
        run.ran(1, "x", 1, 1, 1, HandwrittenRun.CANCELLED_AT + 1);
        run.ran(1, "x", 1, 2, 2, HandwrittenRun.CANCELLED_AT + 5);
        run.effect("x", null, 9, 1, 2);
    }),
    DEAD_THOUGH_ASKED_TO_STOP(CANCELLED_STAYS, run -> {
        run.failing("x", 4);
        run.cancel("x", "REQUESTED");
    }),
    STARTED_THOUGH_GONE(CANCELLED_STAYS, run -> {
        run.cancelled("y", "REQUESTED");
        run.done("x", null, 11);
        run.cancelWithoutRecord("x", "GONE");
    }),
    STARTED_THOUGH_WITHDRAWN(CANCELLED_STAYS, run -> {
        run.withdrawn("x");
        run.ran(1, "x", 1, 1, 1, 5);
    }),
    A_WITHDRAWN_KEY_THAT_IS_TAKEN(KEYS_AS_BOOKED, run -> {
        run.sent("x", null, 9, HandlerAction.PLAIN);
        run.sql("INSERT INTO chaos_withdrawn (p_key, uid) VALUES ('x', REPEAT('x', 16))");
    }),
    LEFT(
            DRAINED,
            run -> {
                run.sent("x", null, 9, HandlerAction.PLAIN);
                run.waiting("x", 0);
            },
            COMMITTED_ENDS_ONCE),
    A_NODE_LEFT(NO_NODE_LEFT, run -> run.node(9, "ALIVE", 0)),
    A_THREAD_LEFT(NO_THREAD_LEFT, run -> run.line(2, Phase.STOPPED, "acidq-chaos-1", "acidq-due-message-mover")),
    HUNG(NO_THREAD_LEFT, run -> run.line(2, Phase.HUNG));

    final Invariant invariant;
    final RunChange runChange;

    /** All invariants that the change breaks. */
    final Set<Invariant> broken;

    ViolationCase(Invariant invariant, RunChange runChange, Invariant... with) {
        this.invariant = invariant;
        this.runChange = runChange;
        this.broken = EnumSet.of(invariant);
        this.broken.addAll(Arrays.asList(with));
    }

    /** Changes a run. */
    interface RunChange {
        void change(HandwrittenRun run) throws SQLException;
    }
}
