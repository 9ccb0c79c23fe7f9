package io.acidq.mybatis.store;

import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.store.Whereabouts.Counts;
import io.acidq.mybatis.store.Whereabouts.Place;
import io.acidq.store.Store;
import org.jspecify.annotations.Nullable;

/** What can happen to a message: how it is done, and what has become of the message if it was done. */
enum Verb {
    ACK("an acknowledgement", Verbs::ack, (s, w) -> s.isHeld(w) ? w.gone(1) : null),
    RETRY("a retry", Verbs::retry, (s, w) -> !s.isHeld(w) ? null : s.isOrdered() ? w.free(w.counts()) : w.scheduled()),
    CANCEL("a cancel", Verbs::cancel, (s, w) -> s.isHeld(w) ? w.gone(0) : null),
    BURY("a death", Verbs::bury, (s, w) -> s.isHeld(w) ? w.dead(s.isOrdered()) : null),
    GIVE_BACK(
            "a giving back",
            Verbs::giveBack,
            (s, w) -> s.isHeld(w) ? w.free(w.counts().plus(-1, 0)) : null),
    RESCUE("a rescue", Verbs::rescue, (s, w) -> s.isHeld(w) ? w.free(w.counts().plus(-1, 1)) : null),
    CLAIM("a claim", Verbs::claim, (s, w) -> w.isFree() ? w.claimedBy(s.other()) : null),
    REPLAY("a replay", Verbs::replay, (s, w) -> w.place() == Place.DEAD ? w.free(afresh(w)) : null),
    DISCARD("a discard", Verbs::discard, (s, w) -> w.place() == Place.DEAD ? w.gone(0) : null),
    RELEASE("a release", Verbs::release, (s, w) -> w.holds() ? w.dead(false) : null),
    PRUNE("a pruning", Verbs::prune, (s, w) -> w.place() == Place.DEAD && !w.holds() ? w.gone(0) : null),
    PAUSE("a pause", Verbs::pause, (s, w) -> w.paused() ? null : w.inPausedQueue());

    private final String words;
    private final Act act;
    private final Model model;

    Verb(String words, Act act, Model model) {
        this.words = words;
        this.act = act;
        this.model = model;
    }

    private static Counts afresh(Whereabouts now) {
        return new Counts(0, 0, now.counts().effects());
    }

    /** Does it by a store; whether it won. */
    boolean run(Subject subject, Store store, JdbcTransactions transactions) throws Exception {
        return act.run(subject, store, transactions);
    }

    /** What has become of the message; null when it can not be done. */
    @Nullable
    Whereabouts after(Subject subject, Whereabouts now) {
        return model.after(subject, now);
    }

    /** Whether it leaves rows alone that somebody has locked, instead of waiting. */
    boolean skips() {
        return this == GIVE_BACK || this == RESCUE || this == CLAIM || this == PRUNE;
    }

    /** Whether it ends the claim that the buried node had. */
    boolean endsTheClaim() {
        return ordinal() <= RESCUE.ordinal();
    }

    boolean isAudited() {
        return namesLetters() || this == PAUSE;
    }

    /** Whether it comes to this point of its transaction. */
    boolean reaches(Halt.Point point, boolean canBeDone) {
        return switch (point) {
            case BEFORE_READ -> (canBeDone || !namesLetters()) && !writesAtOnce();
            case BEFORE_END -> canBeDone || !namesLetters();
            case BEFORE_WRITE -> canBeDone || this == ACK;
            case MIDWAY -> this == ACK || canBeDone && writesTwice();
        };
    }

    private boolean writesAtOnce() {
        return this == ACK || this == RETRY || this == CANCEL || this == PAUSE;
    }

    private boolean writesTwice() {
        return this != CANCEL && this != GIVE_BACK && this != PRUNE;
    }

    /** An operator has looked for letters before; without one there is no transaction. */
    private boolean namesLetters() {
        return this == REPLAY || this == DISCARD || this == RELEASE;
    }

    @Override
    public String toString() {
        return words;
    }

    private interface Act {
        boolean run(Subject subject, Store store, JdbcTransactions transactions) throws Exception;
    }

    private interface Model {
        @Nullable
        Whereabouts after(Subject subject, Whereabouts now);
    }
}
