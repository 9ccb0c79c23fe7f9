package io.acidq.engine.listener;

/** What a store can do wrong; the simulation must find each of them. */
enum StoreFlaw {
    NONE,
    /** An acknowledgement deletes by id alone, and nobody looks whether it did. */
    ACK_WITHOUT_FENCE,
    /** Whoever has the number of a claim may end it, also when it is no longer his. */
    FENCE_WITHOUT_OWNER,
    /** A claim marks what it read a while ago. */
    CLAIM_WITHOUT_LOCK,
    /** A claim begins behind the last message that was claimed. */
    LOW_WATER_ID,
    /** A claim takes the first free messages, whatever runs of their ordering keys. */
    CLAIM_BLIND_TO_KEYS,
    /** A rescue frees claims whoever owns them. */
    RESCUE_BLIND_TO_OWNERS,
    /** A rescue frees by id what it read a while ago. */
    RESCUE_BY_ID,
    /** The effects commit before the acknowledgement. */
    ACK_IN_SECOND_TRANSACTION,
    /** A message that its enqueue has claimed is run as the enqueue told of it, whether it is there or not. */
    RUN_UNREAD,
    /** Deaths of nodes are never seen. */
    RESCUE_NEVER
}
