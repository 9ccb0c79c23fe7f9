package io.acidq.store;

import java.util.UUID;

/**
 * A node's numbered hold on a message: the full primary key and the fence. Every end of a run names all of it.
 *
 * @param queue   the queue's number
 * @param lane    the lane
 * @param id      the place in the lane
 * @param uid     the message's unique number: a server that has lost commits gives a place out again
 * @param owner   the node
 * @param claimNo the number of the claim, risen by one with each
 */
public record Claim(int queue, int lane, long id, UUID uid, int owner, int claimNo) {}
