package io.acidq.chaos.proxy;

/** How a connection breaks. */
public enum BreakMode {
    /** Both sides see it at once. */
    CUT,
    /** Both sides see nothing for a while: packets vanish. Then both are cut. */
    BLACK_HOLE,
    /** The server sees it at once, the client only after a while. */
    HALF_OPEN
}
