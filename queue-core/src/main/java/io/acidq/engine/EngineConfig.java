package io.acidq.engine;

import io.acidq.QueueMisuseException;
import java.time.Duration;

/**
 * The settings of an engine. Immutable; checked at once.
 *
 * @param beat            how often the node says that it lives. Too short: needless writes; too long: slow rescue of what a
 *                        dead node held. Nothing is started when no beat succeeded for three of these. Default 3 s
 * @param silentBeats     how many looks in a row must see no new beat before a node is declared dead. Too few: a pause of a
 *                        living node makes its work run again (its effects are fenced off, the work is wasted). At least 4.
 *                        Default 6
 * @param maxDeaths       how many processes a message may take down before it is a dead letter. Too low: deployments that kill
 *                        processes make dead letters of innocents; too high: a poisonous message kills as often. Default 3
 * @param pollMin         the shortest wait between two looks into a queue that had work a moment ago. Default 5 ms
 * @param pollMax         the longest wait between two looks into an idle queue: the usual worst latency of a message that another
 *                        process enqueued. Too short: idle load; too long: latency. Default 250 ms
 * @param keyWindow       how long a message key stays taken, counted from the due time, and never ending before the message
 *                        does. Default 7 days
 * @param maxPayloadBytes larger payloads are refused at enqueue. Default 1 MiB
 * @param stopTimeout     how long a stop waits for running handlers before it interrupts them. Default 25 s
 */
public record EngineConfig(
        Duration beat,
        int silentBeats,
        int maxDeaths,
        Duration pollMin,
        Duration pollMax,
        Duration keyWindow,
        int maxPayloadBytes,
        Duration stopTimeout) {

    private static final EngineConfig DEFAULTS = new EngineConfig(
            Duration.ofSeconds(3),
            6,
            3,
            Duration.ofMillis(5),
            Duration.ofMillis(250),
            Duration.ofDays(7),
            1024 * 1024,
            Duration.ofSeconds(25));

    public EngineConfig {
        require(beat.compareTo(Duration.ofMillis(50)) >= 0, "beat must be at least 50 ms, was " + beat);
        require(silentBeats >= 4, "silentBeats must be at least 4, was " + silentBeats);
        require(maxDeaths >= 1, "maxDeaths must be at least 1, was " + maxDeaths);
        require(pollMin.toMillis() >= 1, "pollMin must be at least 1 ms, was " + pollMin);
        require(pollMax.compareTo(pollMin) >= 0, "pollMax must not be below pollMin, was " + pollMax);
        require(!keyWindow.isNegative(), "keyWindow must not be negative, was " + keyWindow);
        require(keyWindow.toDays() <= 36_500, "keyWindow must be at most 36500 days, was " + keyWindow);
        require(maxPayloadBytes >= 1, "maxPayloadBytes must be at least 1, was " + maxPayloadBytes);
        require(!stopTimeout.isNegative(), "stopTimeout must not be negative, was " + stopTimeout);
    }

    public static EngineConfig defaults() {
        return DEFAULTS;
    }

    /** Sets how life is shown and death is found. */
    public EngineConfig withLiveness(Duration everyBeat, int silent) {
        return new EngineConfig(
                everyBeat, silent, maxDeaths, pollMin, pollMax, keyWindow, maxPayloadBytes, stopTimeout);
    }

    public EngineConfig withMaxDeaths(int value) {
        return new EngineConfig(beat, silentBeats, value, pollMin, pollMax, keyWindow, maxPayloadBytes, stopTimeout);
    }

    public EngineConfig withPolling(Duration min, Duration max) {
        return new EngineConfig(beat, silentBeats, maxDeaths, min, max, keyWindow, maxPayloadBytes, stopTimeout);
    }

    public EngineConfig withKeyWindow(Duration value) {
        return new EngineConfig(beat, silentBeats, maxDeaths, pollMin, pollMax, value, maxPayloadBytes, stopTimeout);
    }

    public EngineConfig withMaxPayloadBytes(int value) {
        return new EngineConfig(beat, silentBeats, maxDeaths, pollMin, pollMax, keyWindow, value, stopTimeout);
    }

    public EngineConfig withStopTimeout(Duration value) {
        return new EngineConfig(beat, silentBeats, maxDeaths, pollMin, pollMax, keyWindow, maxPayloadBytes, value);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new QueueMisuseException("engine: " + message);
        }
    }
}
