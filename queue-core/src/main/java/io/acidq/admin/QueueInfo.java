package io.acidq.admin;

import java.util.List;

/**
 * A queue in the database.
 *
 * @param name     the name of the queue
 * @param paused   whether it is paused
 * @param servedBy the nodes that are alive and have a listener for it
 */
public record QueueInfo(String name, boolean paused, List<Diagnosis.Node> servedBy) {

    public QueueInfo {
        servedBy = List.copyOf(servedBy);
    }
}
