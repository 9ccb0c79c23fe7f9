package io.acidq.mybatis.store;

import static io.acidq.mybatis.store.MessageOperation.ACK;
import static io.acidq.mybatis.store.MessageOperation.CANCEL;
import static io.acidq.mybatis.store.MessageOperation.CLAIM;
import static io.acidq.mybatis.store.MessageOperation.DEAD_LETTER;
import static io.acidq.mybatis.store.MessageOperation.DISCARD;
import static io.acidq.mybatis.store.MessageOperation.PAUSE;
import static io.acidq.mybatis.store.MessageOperation.PRUNE;
import static io.acidq.mybatis.store.MessageOperation.RELEASE;
import static io.acidq.mybatis.store.MessageOperation.REPLAY;
import static io.acidq.mybatis.store.MessageOperation.REQUEUE;
import static io.acidq.mybatis.store.MessageOperation.RESCUE;
import static io.acidq.mybatis.store.MessageOperation.RETRY;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The state of the message at the start of a race, and the operations that are possible or impossible then. */
enum StartState {
    RUNNING(
            "a running message",
            null,
            null,
            List.of(ACK, RETRY, CANCEL, DEAD_LETTER, REQUEUE, RESCUE, PAUSE),
            List.of(CLAIM, REPLAY, PRUNE)),
    RUNNING_HEAD(
            "the running head of a key",
            "k",
            null,
            List.of(ACK, RETRY, CANCEL, DEAD_LETTER, REQUEUE, RESCUE, PAUSE),
            List.of(CLAIM, REPLAY)),
    /** The follower is not claimed, so that other claims read it. */
    RUNNING_ALONE(
            "the running head of a key whose follower waits",
            "k",
            null,
            List.of(ACK, RETRY, CANCEL, DEAD_LETTER, REQUEUE, RESCUE, PAUSE),
            List.of(CLAIM)),
    /** Freed by its own node, which may claim it again. */
    FREED("a freed message", null, REQUEUE, List.of(CLAIM, PAUSE), List.of(ACK, RETRY, CANCEL, DEAD_LETTER, REQUEUE)),
    DEAD(
            "a dead letter",
            null,
            DEAD_LETTER,
            List.of(REPLAY, DISCARD, PRUNE, PAUSE),
            List.of(ACK, RETRY, CANCEL, DEAD_LETTER, RESCUE, CLAIM)),
    DEAD_HEAD(
            "a dead head",
            "k",
            DEAD_LETTER,
            List.of(REPLAY, DISCARD, RELEASE, PAUSE),
            List.of(ACK, RETRY, REQUEUE, RESCUE, CLAIM, PRUNE));

    private final String words;
    private final @Nullable String orderingKey;
    private final @Nullable MessageOperation before;
    private final List<MessageOperation> possible;
    private final List<MessageOperation> impossible;

    StartState(
            String words,
            @Nullable String orderingKey,
            @Nullable MessageOperation before,
            List<MessageOperation> possible,
            List<MessageOperation> impossible) {
        this.words = words;
        this.orderingKey = orderingKey;
        this.before = before;
        this.possible = possible;
        this.impossible = impossible;
    }

    /** The ordering key of the message. */
    @Nullable
    String orderingKey() {
        return orderingKey;
    }

    /** The operation that the message went through after it was claimed. */
    @Nullable
    MessageOperation before() {
        return before;
    }

    /** The number of messages that its node has claimed. */
    int claimed() {
        return this == RUNNING_ALONE ? 1 : 2;
    }

    boolean allows(MessageOperation messageOperation) {
        return possible.contains(messageOperation);
    }

    /** Every pair of operations in both orders, at each pause point, and with each ending of the first. */
    Stream<RaceCase> raceCases() {
        List<RaceCase> all = new ArrayList<>();
        for (MessageOperation first : operations()) {
            for (MessageOperation second : operations()) {
                if (allows(first) || allows(second)) {
                    all.addAll(raceCases(first, second));
                }
            }
        }
        return all.stream();
    }

    private List<RaceCase> raceCases(MessageOperation first, MessageOperation second) {
        List<RaceCase> all = new ArrayList<>();
        for (PausableDataSource.PausePoint pausePoint : PausableDataSource.PausePoint.values()) {
            if (first.reaches(pausePoint, allows(first))
                    && !(pausePoint == PausableDataSource.PausePoint.MIDWAY && writesOnce(first))) {
                all.add(new RaceCase(this, first, pausePoint, true, second));
            }
        }
        if (allows(first)) {
            all.add(new RaceCase(this, first, PausableDataSource.PausePoint.BEFORE_END, false, second));
        }
        return all;
    }

    /** A retry that keeps its place writes a second time for the followers that its node has claimed. */
    private boolean writesOnce(MessageOperation messageOperation) {
        return this == RUNNING_ALONE && messageOperation == RETRY;
    }

    private List<MessageOperation> operations() {
        return Stream.concat(possible.stream(), impossible.stream()).toList();
    }

    @Override
    public String toString() {
        return words;
    }
}
