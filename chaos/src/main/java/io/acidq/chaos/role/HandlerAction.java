package io.acidq.chaos.role;

/** What the handler of a message does besides its effect. */
public enum HandlerAction {
    /** Nothing. */
    PLAIN(End.EFFECT),
    /** Takes 300 ms. */
    SLOW(End.EFFECT),
    /** Fails at its first attempt. */
    FLAKY(End.EFFECT),
    /** Fails always. */
    FAIL(End.DEAD),
    /** After its effect runs into a deadlock with itself in its first claims, swallows the error and says that it is done. */
    SWALLOW_DEADLOCK(End.EFFECT),
    /** Commits by hand before it has finished. */
    COMMIT(End.DEAD),
    /** Runs DDL, which commits behind everybody's back, and then writes its effect. */
    DDL(End.DEAD),
    /** Never returns; is stopped at its time limit. */
    ENDLESS(End.DEAD),
    /** Allocates until there is no memory left. */
    GREEDY(End.DEAD),
    /** Ends the JVM at its first start. */
    HALT_ONCE(End.EFFECT),
    /** Ends the JVM at every start. */
    HALT(End.DEAD);

    private final End end;

    HandlerAction(End end) {
        this.end = end;
    }

    public End end() {
        return end;
    }

    /** What has become of a message when all is over. */
    public enum End {
        EFFECT,
        DEAD
    }
}
