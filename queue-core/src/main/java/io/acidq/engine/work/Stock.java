package io.acidq.engine.work;

/**
 * What this node holds of a queue at one moment.
 *
 * @param waiting   messages that have not started
 * @param startable those among them that could start at once: not behind another of their ordering key
 * @param running   messages that run
 */
record Stock(int waiting, int startable, int running) {}
