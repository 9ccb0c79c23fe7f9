package io.acidq.chaos.audit;

import static io.acidq.chaos.audit.Invariant.*;

import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.Journal;
import io.acidq.chaos.role.Journal.Phase;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/** For each invariant what has to be told besides a true run so that it is broken, and as little else as possible. */
enum Guilt {
    LOST(COMMITTED_ENDS_ONCE, told -> {
        told.intent("x", null, 9, HandlerAction.PLAIN);
        told.ends(Phase.OK, "x");
    }),
    DEAD_THOUGH_IT_COULD_SUCCEED(ENDS_AS_ITS_DEED_ASKS, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5);
        told.dead("x", 1, 0, 1);
    }),
    STARTED_THOUGH_ROLLED_BACK(FAILED_IS_INVISIBLE, told -> told.ran(1, "rolled-back", 1, 1, 1, 5)),
    STARTED_THOUGH_NEVER_BOOKED(UNKNOWN_IS_ALL_OR_NOTHING, told -> told.ran(1, "killed", 1, 1, 1, 5)),
    TWICE(ONE_EFFECT, told -> told.effect("plain", null, 1, 1, 1), COMMITTED_ENDS_ONCE),
    DONE_AND_STILL_THERE(DONE_IS_GONE, told -> told.hot("plain", 0), DRAINED, CONSERVED),
    A_KEY_OF_NOBODY(
            NOTHING_FROM_NOWHERE,
            told -> told.sql("INSERT INTO acidq_key (queue, p_key, uid, lane, expires, taken_at) VALUES (1, 'nobody',"
                    + " UNHEX(LEFT(SHA2('nobody', 256), 32)), 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))")),
    A_START_OF_NOBODY(NOTHING_FROM_NOWHERE, told -> told.ran(1, "nobody", 1, 1, 1, 5)),
    DEAD_TWICE(CONSERVED, told -> {
        told.placed("x", null, 9, HandlerAction.FAIL);
        for (int attempt = 1; attempt <= 4; attempt++) {
            told.ran(1, "x", 1, attempt, attempt, attempt);
        }
        told.dead("x", 4, 0, 4);
        told.sql("DO SLEEP(0.001)"); // the moment of death is part of the letter's key
        told.dead("x", 4, 0, 4);
    }),
    OUT_OF_ORDER(IN_ORDER, told -> {
        told.placed("x", "j", 9, HandlerAction.PLAIN);
        told.done("y", "j", 10);
        told.ran(1, "x", 1, 1, 1, 5);
        told.effect("x", "j", 9, 1, 1);
    }),
    TWO_OF_A_KEY_AT_ONCE(ONE_AT_A_TIME, told -> {
        told.placed("x", "j", 9, HandlerAction.PLAIN);
        told.placed("y", "j", 10, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5, 9);
        told.ran(2, "y", 2, 1, 1, 7, 12);
        told.effect("x", "j", 9, 1, 1);
        told.effect("y", "j", 10, 2, 1);
    }),
    A_FOLLOWER_OF_A_HEAD_THAT_GOES_ON(ONE_AT_A_TIME, told -> {
        told.placed("x", "j", 4, HandlerAction.FAIL);
        told.placed("y", "j", 10, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 100);
        told.ran(2, "y", 2, 1, 1, 150);
        told.effect("y", "j", 10, 2, 1);
        for (int attempt = 2; attempt <= 4; attempt++) {
            told.ran(1, "x", 1, attempt, attempt, 100L * attempt);
        }
        told.dead("x", 4, 0, 4);
    }),
    TOO_EARLY(
            NOT_EARLY,
            told -> told.sql("UPDATE chaos_effect e JOIN chaos_business b ON b.p_key = e.p_key"
                    + " SET e.at = b.due_at - INTERVAL 1 MICROSECOND WHERE e.p_key = 'plain'")),
    STARTED_TOO_EARLY(
            NOT_EARLY,
            told -> told.sql(
                    "UPDATE chaos_business SET due_at = " + Told.at(10_000_000_000L) + " WHERE p_key = 'plain'")),
    DEAD_TOO_EARLY(
            NOT_EARLY,
            told -> told.sql("UPDATE acidq_dead d JOIN chaos_business b ON b.p_key = CONVERT(d.p_key USING utf8mb4)"
                    + " SET d.died_at = b.due_at - INTERVAL 1 MICROSECOND WHERE d.p_key = 'failing'")),
    DEAD_TOO_SOON(DEAD_AFTER_ALL_ATTEMPTS, told -> told.failing("x", 3)),
    GIVEN_UP_TOO_SOON(DEAD_AFTER_ALL_ATTEMPTS, told -> {
        told.placed("x", null, 9, HandlerAction.ENDLESS);
        told.ran(1, "x", 1, 1, 1, 5);
        told.dead("x", 1, 0, 1);
    }),
    A_DEATH_NOT_COUNTED(ENDS_AS_ITS_DEED_ASKS, told -> {
        told.placed("x", null, 9, HandlerAction.HALT_ONCE);
        told.line(2, Phase.START, "x", 1, 0, 1, 7, "id-x", 50L);
        told.node(7, "DEAD", 60);
        told.ran(1, "x", 1, 2, 1, 90);
        told.effect("x", null, 9, 1, 2);
    }),
    QUARANTINED_TOO_SOON(DEAD_AFTER_ALL_DEATHS, told -> told.halting("x", 2)),
    QUARANTINED_FOR_NOTHING(DEATHS_ARE_BURIALS, told -> {
        told.placed("x", null, 9, HandlerAction.HALT);
        told.line(2, Phase.START, "x", 1, 0, 1, 7, "id-x", 50L);
        told.node(7, "DEAD", 60);
        told.dead("x", 0, 3, 1);
    }),
    DEAD_OF_DEATHS_OF_NOBODY(DEATHS_ARE_BURIALS, told -> {
        told.placed("x", null, 9, HandlerAction.FAIL);
        told.ran(1, "x", 1, 1, 1, 5);
        told.dead("x", 1, 3, 1);
    }),
    DEAD_WITHOUT_A_START(DEATHS_ARE_BURIALS, told -> {
        told.placed("x", null, 9, HandlerAction.ENDLESS);
        told.dead("x", 0, 3, 1);
    }),
    QUARANTINED_FOR_A_NODE_THAT_LIVES(
            DEATHS_ARE_BURIALS,
            told -> told.sql("UPDATE acidq_node SET state = 'ALIVE' WHERE id = 12"),
            NO_NODE_LEFT,
            ONE_LIVE_CLAIM),
    COUNTED_TWICE(ATTEMPTS_ARE_STARTS, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 2, 5);
        told.effect("x", null, 9, 1, 1);
    }),
    AN_ATTEMPT_FORGOTTEN(ATTEMPTS_ARE_STARTS, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        for (int claim = 1; claim <= 3; claim++) {
            told.ran(1, "x", 1, claim, 1, claim);
            told.line(1, Phase.RETRIED, "id-x", 1L + claim);
        }
        told.ran(1, "x", 1, 4, 1, 9);
        told.effect("x", null, 9, 1, 4);
    }),
    GIVEN_BACK_WITHOUT_ITS_ATTEMPT(ATTEMPTS_ARE_STARTS, told -> {
        told.placed("x", null, 9, HandlerAction.FAIL);
        for (int claim = 1; claim <= 4; claim++) {
            told.ran(1, "x", 1, claim, claim, 10L * claim);
            if (claim < 4) {
                told.line(1, Phase.GAVE_BACK, "id-x", 10L * claim + 2);
            }
        }
        told.dead("x", 4, 0, 4);
    }),
    DEAD_OF_WHAT_WAS_GIVEN_BACK(ATTEMPTS_ARE_STARTS, told -> {
        told.failing("x", 4);
        told.line(1, Phase.GAVE_BACK, "id-x", 402L);
    }),
    ATTEMPTS_THAT_FALL(CLAIMS_RISE, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5);
        told.ran(1, "x", 1, 2, 2, 7);
        told.ran(1, "x", 1, 3, 1, 9);
        told.effect("x", null, 9, 1, 3);
    }),
    ONE_CLAIM_FOR_TWO(ONE_NODE_PER_CLAIM, told -> {
        told.done("x", null, 9);
        told.ran(2, "x", 2, 1, 1, 95);
    }),
    TAKEN_FROM_THE_LIVING(ONE_LIVE_CLAIM, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5, 9);
        told.ran(2, "x", 2, 2, 1, 7);
        told.effect("x", null, 9, 2, 2);
    }),
    TAKEN_FROM_ONE_THAT_IS_BURIED_LATER(ONE_LIVE_CLAIM, told -> {
        TAKEN_FROM_THE_LIVING.doctor.change(told);
        told.node(1, "DEAD", 600_000_000_000L);
    }),
    TAKEN_FROM_ONE_THAT_GIVES_IT_BACK_LATER(ONE_LIVE_CLAIM, told -> {
        TAKEN_FROM_THE_LIVING.doctor.change(told);
        told.line(1, Phase.GAVE_BACK, "id-x", 9L);
    }),
    TAKEN_FROM_ONE_THAT_RETRIES_A_LATER_CLAIM(ONE_LIVE_CLAIM, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5, 900);
        told.ran(2, "x", 2, 2, 1, 7, 8);
        told.line(2, Phase.GAVE_BACK, "id-x", 9L);
        told.ran(1, "x", 1, 3, 1, 1000);
        told.line(1, Phase.RETRIED, "id-x", 1002L);
        told.ran(2, "x", 2, 4, 2, 2000);
        told.effect("x", null, 9, 2, 4);
    }),
    TWO_CLAIMS_OF_ONE_NODE_AT_ONCE(ONE_LIVE_CLAIM, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5, 90);
        told.ran(1, "x", 1, 2, 1, 7, 91);
        told.ran(1, "x", 1, 3, 1, 8, 92);
        told.effect("x", null, 9, 1, 3);
    }),
    TAKEN_WHILE_IT_NEVER_RETURNED(ONE_LIVE_CLAIM, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.line(1, Phase.START, "x", 1, 0, 1, 1, "id-x", 5L);
        told.ran(2, "x", 2, 2, 1, 7);
        told.effect("x", null, 9, 2, 2);
    }),
    ONE_CLAIM_TWICE_AT_ONCE(ONE_NODE_PER_CLAIM, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5, 9);
        told.ran(1, "x", 1, 1, 1, 7, 10);
        told.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_OF_ANOTHER_NUMBER(EFFECT_AS_MEANT, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.ran(1, "x", 1, 1, 1, 5);
        told.effect("x", null, 8, 1, 1);
    }),
    A_LETTER_OF_ANOTHER_KEY(
            EFFECT_AS_MEANT, told -> told.sql("UPDATE acidq_dead SET order_key = 'other' WHERE p_key = 'failing'")),
    A_LETTER_OF_ANOTHER_TYPE(
            EFFECT_AS_MEANT, told -> told.sql("UPDATE acidq_dead SET type = 'bogus' WHERE p_key = 'failing'")),
    A_LETTER_THAT_IS_GARBLED(
            EFFECT_AS_MEANT, told -> told.sql("UPDATE acidq_dead SET payload = 'garbage' WHERE p_key = 'failing'")),
    A_LETTER_OF_ANOTHER_NUMBER(
            EFFECT_AS_MEANT,
            told -> told.sql(
                    "UPDATE acidq_dead SET payload = REPLACE(payload, '\"seq\":4', '\"seq\":5') WHERE p_key = 'failing'")),
    FROM_NO_START(EFFECT_OF_A_START, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_OF_WHAT_THREW(EFFECT_OF_SUCCESS, told -> {
        told.placed("x", null, 9, HandlerAction.FLAKY);
        told.ran(1, "x", 1, 1, 1, 5);
        told.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_BEFORE_A_DEADLOCK(EFFECT_OF_SUCCESS, told -> {
        told.placed("x", null, 9, HandlerAction.SWALLOW_DEADLOCK);
        told.line(1, Phase.START, "x", 1, 0, 1, 1, "id-x", 5L);
        told.line(1, Phase.SWALLOWED, "x", 1, 1);
        told.line(1, Phase.RETURNED, "x", 1, 1, 6L, Journal.DONE);
        told.effect("x", null, 9, 1, 1);
    }),
    AN_EFFECT_OF_WHAT_NEVER_RETURNED(EFFECT_OF_SUCCESS, told -> {
        told.placed("x", null, 9, HandlerAction.PLAIN);
        told.line(1, Phase.START, "x", 1, 0, 1, 1, "id-x", 5L);
        told.effect("x", null, 9, 1, 1);
    }),
    STARTED_AFTER_ITS_END(ENDED_BY_THE_LAST_CLAIM, told -> {
        told.done("x", null, 9);
        told.ran(2, "x", 2, 2, 1, 200);
    }),
    EFFECT_OF_A_BURIED_NODE(NOTHING_FROM_THE_DEAD, told -> told.counted("plain", 1)),
    A_KEY_GIVEN_AWAY(KEYS_AS_BOOKED, told -> told.sql("DELETE FROM acidq_key WHERE p_key = 'plain'")),
    A_KEY_OF_ANOTHER_MESSAGE(
            KEYS_AS_BOOKED, told -> told.sql("UPDATE acidq_key SET uid = REPEAT('z', 16) WHERE p_key = 'plain'")),
    A_MARKER_FOR_NOBODY(PLACES_ARE_HELD, told -> told.hot("gone", 1)),
    LEFT(
            DRAINED,
            told -> {
                told.placed("x", null, 9, HandlerAction.PLAIN);
                told.hot("x", 0);
            },
            COMMITTED_ENDS_ONCE),
    A_NODE_LEFT(NO_NODE_LEFT, told -> told.node(9, "ALIVE", 0)),
    A_THREAD_LEFT(NO_THREAD_LEFT, told -> told.line(2, Phase.STOPPED, "acidq-errand-1", "acidq-mover")),
    HUNG(NO_THREAD_LEFT, told -> told.line(2, Phase.HUNG));

    final Invariant invariant;
    final Doctor doctor;

    /** What can not hold either. */
    final Set<Invariant> broken;

    Guilt(Invariant invariant, Doctor doctor, Invariant... with) {
        this.invariant = invariant;
        this.doctor = doctor;
        this.broken = EnumSet.of(invariant);
        this.broken.addAll(Arrays.asList(with));
    }

    /** Changes what is told. */
    interface Doctor {
        void change(Told told) throws SQLException;
    }
}
