package io.acidq.chaos.role;

/** The action of a handler besides its effect. */
public enum HandlerAction {
    /** No further action. */
    PLAIN(End.EFFECT),
    /** Takes 300 ms. */
    SLOW(End.EFFECT),
    /** Fails at its first attempt. */
    FLAKY(End.EFFECT),
    /** Fails always. */
    FAIL(End.DEAD),
    /** Causes a deadlock after its effect in its first claims, swallows the error and reports success. */
    SWALLOW_DEADLOCK(End.EFFECT),
    /** Commits the transaction itself. */
    COMMIT(End.DEAD),
    /** Executes DDL, which commits implicitly, before its effect. */
    DDL(End.DEAD),
    /** Never returns, and is interrupted at its time limit. */
    ENDLESS(End.DEAD),
    /** Allocates memory until none is left. */
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

    /** The expected end of a message. */
    public enum End {
        EFFECT,
        DEAD
    }
}
