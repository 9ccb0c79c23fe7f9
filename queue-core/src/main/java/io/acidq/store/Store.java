package io.acidq.store;

/**
 * The access of an engine to one database: one object for each part of the port. Thread-safe, like each of its parts.
 *
 * @param transactions the transactions of the application
 * @param queues       the table of queues
 * @param enqueue      statements of an enqueue, in the caller's transaction
 * @param claims       claims, acknowledgements and the other outcomes of a run
 * @param nodes        heartbeats of nodes, and the claims of dead ones
 * @param maintenance  the move of due messages, and the removal of old rows
 * @param inbox        keys of the inbox
 * @param dead         dead letters
 * @param inspection   reads for operators
 * @param subscriptions the table of subscriptions
 * @param recurring    the tables of recurring messages and of their ticks
 * @param receipts     the table of receipts
 * @param history      the table of the history
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
        SubscriptionStore subscriptions,
        RecurringStore recurring,
        ReceiptStore receipts,
        HistoryStore history,
        ServerStore server) {}
