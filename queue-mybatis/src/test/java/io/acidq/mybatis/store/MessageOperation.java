package io.acidq.mybatis.store;

import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.store.MessageSnapshot.Counts;
import io.acidq.mybatis.store.MessageSnapshot.Location;
import io.acidq.store.Store;
import org.jspecify.annotations.Nullable;

/** An operation on a message: how to run it, and the state of the message after it. */
enum MessageOperation {
    ACK("an acknowledgement", StoreOperations::ack, (s, w) -> s.isHeld(w) ? w.gone(1) : null),
    RETRY(
            "a retry",
            StoreOperations::retry,
            (s, w) -> !s.isHeld(w) ? null : s.isOrdered() ? w.free(w.counts()) : w.scheduled()),
    CANCEL("a cancel", StoreOperations::cancel, (s, w) -> s.isHeld(w) ? w.gone(0) : null),
    DEAD_LETTER("a dead-lettering", StoreOperations::deadLetter, (s, w) -> s.isHeld(w) ? w.dead(s.isOrdered()) : null),
    REQUEUE(
            "a giving back",
            StoreOperations::requeue,
            (s, w) -> s.isHeld(w) ? w.free(w.counts().plus(-1, 0)) : null),
    RESCUE(
            "a rescue",
            StoreOperations::rescue,
            (s, w) -> s.isHeld(w) ? w.free(w.counts().plus(-1, 1)) : null),
    CLAIM("a claim", StoreOperations::claim, (s, w) -> w.isFree() ? w.claimedBy(s.other()) : null),
    REPLAY("a replay", StoreOperations::replay, (s, w) -> w.location() == Location.DEAD ? w.free(afresh(w)) : null),
    DISCARD("a discard", StoreOperations::discard, (s, w) -> w.location() == Location.DEAD ? w.gone(0) : null),
    RELEASE("a release", StoreOperations::release, (s, w) -> w.holds() ? w.dead(false) : null),
    PRUNE(
            "a pruning",
            StoreOperations::prune,
            (s, w) -> w.location() == Location.DEAD && !w.holds() ? w.gone(0) : null),
    PAUSE("a pause", StoreOperations::pause, (s, w) -> w.paused() ? null : w.inPausedQueue());

    private final String words;
    private final StoreCall storeCall;
    private final ExpectedResult expectedResult;

    MessageOperation(String words, StoreCall storeCall, ExpectedResult expectedResult) {
        this.words = words;
        this.storeCall = storeCall;
        this.expectedResult = expectedResult;
    }

    private static Counts afresh(MessageSnapshot now) {
        return new Counts(0, 0, now.counts().effects());
    }

    /** Runs the operation and returns whether it won. */
    boolean run(RaceSetup raceSetup, Store store, JdbcTransactions transactions) throws Exception {
        return storeCall.run(raceSetup, store, transactions);
    }

    /** Returns the message after the operation, or null if the operation is not possible. */
    @Nullable
    MessageSnapshot after(RaceSetup raceSetup, MessageSnapshot now) {
        return expectedResult.after(raceSetup, now);
    }

    /** Whether it skips locked rows instead of waiting. */
    boolean skips() {
        return this == REQUEUE || this == RESCUE || this == CLAIM || this == PRUNE;
    }

    /** Whether it ends the claim of the dead node. */
    boolean endsTheClaim() {
        return ordinal() <= RESCUE.ordinal();
    }

    boolean isAudited() {
        return needsDeadLetters() || this == PAUSE;
    }

    /** Whether it reaches this point of its transaction. */
    boolean reaches(PausableDataSource.PausePoint pausePoint, boolean canBeDone) {
        return switch (pausePoint) {
            case BEFORE_READ -> (canBeDone || !needsDeadLetters()) && !writesAtOnce();
            case BEFORE_END -> canBeDone || !needsDeadLetters();
            case BEFORE_WRITE -> canBeDone || this == ACK;
            case MIDWAY -> this == ACK || canBeDone && writesTwice();
        };
    }

    private boolean writesAtOnce() {
        return this == ACK || this == RETRY || this == CANCEL || this == PAUSE;
    }

    private boolean writesTwice() {
        return this != CANCEL && this != REQUEUE && this != PRUNE;
    }

    /** Whether it needs a dead letter, without which there is no transaction. */
    private boolean needsDeadLetters() {
        return this == REPLAY || this == DISCARD || this == RELEASE;
    }

    @Override
    public String toString() {
        return words;
    }

    private interface StoreCall {
        boolean run(RaceSetup raceSetup, Store store, JdbcTransactions transactions) throws Exception;
    }

    private interface ExpectedResult {
        @Nullable
        MessageSnapshot after(RaceSetup raceSetup, MessageSnapshot now);
    }
}
