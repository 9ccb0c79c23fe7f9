package io.acidq.store;

/**
 * A node's numbered hold on a message: the full primary key and the fence. Every end of a run names all five.
 *
 * @param queue   the queue's number
 * @param lane    the lane
 * @param id      the place in the lane
 * @param owner   the node
 * @param claimNo the number of the claim, risen by one with each
 */
public record Claim(int queue, int lane, long id, int owner, int claimNo) {}
