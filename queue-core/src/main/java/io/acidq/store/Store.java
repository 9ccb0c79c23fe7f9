package io.acidq.store;

/**
 * One database as the engine sees it. Thread-safe, like each of its parts.
 *
 * @param transactions the transactions of the application
 * @param queues       the dictionary of queues
 * @param enqueue      what runs in the caller's transaction
 * @param claims       claims, acknowledgements and the other ends of a run
 * @param nodes        liveness and rescue
 * @param maintenance  the move of due messages, and the removal of old rows
 * @param inbox        keys of messages that came from elsewhere
 * @param dead         dead letters
 * @param inspection   what operators read
 * @param server       tables, commits, settings and locks of the server
 */
public record Store(
        Transactions transactions,
        QueueStore queues,
        EnqueueStore enqueue,
        ClaimStore claims,
        NodeStore nodes,
        MaintenanceStore maintenance,
        InboxStore inbox,
        DeadLetterStore dead,
        InspectionStore inspection,
        ServerStore server) {}
