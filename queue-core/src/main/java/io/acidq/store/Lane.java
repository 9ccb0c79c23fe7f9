package io.acidq.store;

/**
 * A lane of a queue.
 *
 * @param queue the queue's number
 * @param lane  the lane
 */
public record Lane(int queue, int lane) {}
