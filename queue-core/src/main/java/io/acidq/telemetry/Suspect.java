package io.acidq.telemetry;

import io.acidq.MessageId;

/**
 * A message of this engine on probation: earlier runs of it ended with their process, so nothing of its queue runs beside it here.
 *
 * @param id      the message
 * @param crashes  how many processes ended while it ran
 * @param running whether it runs; else it waits until nothing of its queue does
 */
public record Suspect(MessageId id, int crashes, boolean running) {}
