package io.acidq.store;

/**
 * One database as the engine sees it. Thread-safe, like each of its parts.
 *
 * @param schema       the tables that all the others work on
 * @param transactions the transactions of the application
 * @param queues       the dictionary of queues
 * @param enqueue      what runs in the caller's transaction
 * @param commits      the commits of others
 * @param claims       claims, acknowledgements and the other ends of a run
 * @param schedule     messages that wait for their time
 * @param nodes        liveness and rescue
 * @param dead         dead letters
 * @param audit        what operators have done
 * @param inbox        keys of messages that came from anywhere
 * @param archive      done messages that are kept
 * @param retention    removal of what has outlived its time
 * @param backlog      how much there is
 * @param why          where a message is, and what stands before it
 * @param browse       what lies in the tables, for people
 * @param checkup      what the server tells of itself
 */
public record Store(
        SchemaStore schema,
        Transactions transactions,
        QueueStore queues,
        EnqueueStore enqueue,
        CommitStore commits,
        ClaimStore claims,
        ScheduleStore schedule,
        NodeStore nodes,
        DeadLetterStore dead,
        AuditStore audit,
        InboxStore inbox,
        ArchiveStore archive,
        RetentionStore retention,
        BacklogStore backlog,
        WhyStore why,
        BrowseStore browse,
        CheckupStore checkup) {}
