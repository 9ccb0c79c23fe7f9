package io.acidq.engine.work;

import io.acidq.Outcome;
import io.acidq.store.ClaimedMessage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a message fared inside a transaction that it shares with others; what it ends in is written after that. */
record Fate(
        ClaimedMessage message,
        Kind kind,
        @Nullable Outcome asked,
        @Nullable Throwable thrown) {

    enum Kind {
        DONE,
        ASKED,
        UNDECODABLE,
        FAILED,
        LOST
    }

    static Fate done(ClaimedMessage message) {
        return new Fate(message, Kind.DONE, null, null);
    }

    static Fate asked(ClaimedMessage message, Outcome outcome) {
        return new Fate(message, Kind.ASKED, outcome, null);
    }

    static Fate undecodable(ClaimedMessage message, Throwable thrown) {
        return new Fate(message, Kind.UNDECODABLE, null, thrown);
    }

    static Fate failed(ClaimedMessage message, Throwable thrown) {
        return new Fate(message, Kind.FAILED, null, thrown);
    }

    static Fate lost(ClaimedMessage message) {
        return new Fate(message, Kind.LOST, null, null);
    }

    /** What the handler asked for. */
    Outcome outcome() {
        return Objects.requireNonNull(asked);
    }

    Throwable failure() {
        return Objects.requireNonNull(thrown);
    }
}
