package io.acidq.examples.orders;

/**
 * Who ships.
 *
 * @param workers   how many orders a process ships at once
 * @param processes in how many processes of their own; 0 for the process that places
 */
record WorkerSettings(int workers, int processes) {}
