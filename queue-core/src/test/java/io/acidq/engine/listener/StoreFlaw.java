package io.acidq.engine.listener;

/** A flaw of the simulated store. The simulation must find each of them. */
enum StoreFlaw {
    NONE,
    /** An acknowledgement deletes by id alone, and its result is not checked. */
    ACK_WITHOUT_FENCE,
    /** The fence compares the number of the claim and not its owner. */
    FENCE_WITHOUT_OWNER,
    /** A claim marks rows that it has read earlier without a lock. */
    CLAIM_WITHOUT_LOCK,
    /** A claim reads only behind the last claimed message. */
    LOW_WATER_ID,
    /** A claim takes free messages whose ordering key runs. */
    CLAIM_BLIND_TO_KEYS,
    /** A rescue frees the claims of living owners too. */
    RESCUE_BLIND_TO_OWNERS,
    /** A rescue frees rows by id that it has read earlier. */
    RESCUE_BY_ID,
    /** The effects commit before the acknowledgement. */
    ACK_IN_SECOND_TRANSACTION,
    /** A message that its enqueue has claimed runs even if the enqueue was rolled back. */
    RUN_UNREAD,
    /** The crash of a node is never noticed. */
    RESCUE_NEVER
}
