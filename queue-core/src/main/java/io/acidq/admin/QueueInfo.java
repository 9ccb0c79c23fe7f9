package io.acidq.admin;

import java.util.List;

/**
 * A queue as the database knows it.
 *
 * @param name     its name
 * @param paused   whether it is paused
 * @param servedBy the nodes that count as living and have a listener of it
 */
public record QueueInfo(String name, boolean paused, List<Diagnosis.Node> servedBy) {

    public QueueInfo {
        servedBy = List.copyOf(servedBy);
    }
}
