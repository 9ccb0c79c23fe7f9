package io.acidq.store;

import java.util.UUID;

/**
 * A claim of a message by a node: the primary key of the message, and the claim number as the fence. Each end of a run compares all of it.
 *
 * @param queue   the queue's number
 * @param lane    the lane
 * @param id      the place in the lane
 * @param uid     the message's unique number: a server that lost commits may reuse a place
 * @param owner   the node
 * @param claimNo the number of the claim, increased by one with each
 */
public record Claim(int queue, int lane, long id, UUID uid, int owner, int claimNo) {}
