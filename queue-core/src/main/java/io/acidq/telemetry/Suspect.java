package io.acidq.telemetry;

import io.acidq.MessageId;

/**
 * A message whose earlier runs ended with a crash. No other message of its queue runs at the same time in this engine.
 *
 * @param id      the message
 * @param crashes  the number of crashes
 * @param running whether it runs; otherwise it waits until no other message of its queue runs
 */
public record Suspect(MessageId id, int crashes, boolean running) {}
