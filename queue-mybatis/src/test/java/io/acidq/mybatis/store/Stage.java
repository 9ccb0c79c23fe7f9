package io.acidq.mybatis.store;

import static io.acidq.mybatis.store.Verb.ACK;
import static io.acidq.mybatis.store.Verb.BURY;
import static io.acidq.mybatis.store.Verb.CANCEL;
import static io.acidq.mybatis.store.Verb.CLAIM;
import static io.acidq.mybatis.store.Verb.DISCARD;
import static io.acidq.mybatis.store.Verb.GIVE_BACK;
import static io.acidq.mybatis.store.Verb.PAUSE;
import static io.acidq.mybatis.store.Verb.PRUNE;
import static io.acidq.mybatis.store.Verb.RELEASE;
import static io.acidq.mybatis.store.Verb.REPLAY;
import static io.acidq.mybatis.store.Verb.RESCUE;
import static io.acidq.mybatis.store.Verb.RETRY;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of the message in which two transactions meet, what can be done to it then, and what comes too late or too early. */
enum Stage {
    RUNNING(
            "a running message",
            null,
            null,
            List.of(ACK, RETRY, CANCEL, BURY, GIVE_BACK, RESCUE, PAUSE),
            List.of(CLAIM, REPLAY, PRUNE)),
    RUNNING_HEAD(
            "the running head of a key",
            "k",
            null,
            List.of(ACK, RETRY, CANCEL, BURY, GIVE_BACK, RESCUE, PAUSE),
            List.of(CLAIM, REPLAY)),
    /** Its follower has not been claimed: whoever claims meets it. */
    RUNNING_ALONE(
            "the running head of a key whose follower waits",
            "k",
            null,
            List.of(ACK, RETRY, CANCEL, BURY, GIVE_BACK, RESCUE, PAUSE),
            List.of(CLAIM)),
    /** By the same node, which may claim it again. */
    FREED("a freed message", null, GIVE_BACK, List.of(CLAIM, PAUSE), List.of(ACK, RETRY, CANCEL, BURY, GIVE_BACK)),
    DEAD(
            "a dead letter",
            null,
            BURY,
            List.of(REPLAY, DISCARD, PRUNE, PAUSE),
            List.of(ACK, RETRY, CANCEL, BURY, RESCUE, CLAIM)),
    DEAD_HEAD(
            "a dead head",
            "k",
            BURY,
            List.of(REPLAY, DISCARD, RELEASE, PAUSE),
            List.of(ACK, RETRY, GIVE_BACK, RESCUE, CLAIM, PRUNE));

    private final String words;
    private final @Nullable String orderKey;
    private final @Nullable Verb before;
    private final List<Verb> possible;
    private final List<Verb> impossible;

    Stage(String words, @Nullable String orderKey, @Nullable Verb before, List<Verb> possible, List<Verb> impossible) {
        this.words = words;
        this.orderKey = orderKey;
        this.before = before;
        this.possible = possible;
        this.impossible = impossible;
    }

    /** The ordering key of the message. */
    @Nullable
    String orderKey() {
        return orderKey;
    }

    /** What has happened to it since it was claimed. */
    @Nullable
    Verb before() {
        return before;
    }

    /** How many messages its node has claimed at once. */
    int claimed() {
        return this == RUNNING_ALONE ? 1 : 2;
    }

    boolean allows(Verb verb) {
        return possible.contains(verb);
    }

    /** Every pair that can meet here, in both orders, at each point and with each ending of the first. */
    Stream<Meeting> meetings() {
        List<Meeting> all = new ArrayList<>();
        for (Verb first : verbs()) {
            for (Verb second : verbs()) {
                if (allows(first) || allows(second)) {
                    all.addAll(meetings(first, second));
                }
            }
        }
        return all.stream();
    }

    private List<Meeting> meetings(Verb first, Verb second) {
        List<Meeting> all = new ArrayList<>();
        for (Halt.Point point : Halt.Point.values()) {
            if (first.reaches(point, allows(first)) && !(point == Halt.Point.MIDWAY && writesOnce(first))) {
                all.add(new Meeting(this, first, point, true, second));
            }
        }
        if (allows(first)) {
            all.add(new Meeting(this, first, Halt.Point.BEFORE_END, false, second));
        }
        return all;
    }

    /** A retry that keeps its place writes a second time for the followers that its node has claimed. */
    private boolean writesOnce(Verb verb) {
        return this == RUNNING_ALONE && verb == RETRY;
    }

    private List<Verb> verbs() {
        return Stream.concat(possible.stream(), impossible.stream()).toList();
    }

    @Override
    public String toString() {
        return words;
    }
}
