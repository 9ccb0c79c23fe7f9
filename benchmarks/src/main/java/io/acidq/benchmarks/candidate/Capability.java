package io.acidq.benchmarks.candidate;

/** A capability that a scenario may need. A candidate that lacks it is left out of the scenario, and the report says so. */
public enum Capability {
    /** Works off the messages of {@link CandidateAdapter#fill}. */
    BACKLOG,
    /** Sends messages in the transaction of a business row by {@link CandidateAdapter#send}. */
    SENDING,
    /** Its running workers find messages of {@link CandidateAdapter#send}. */
    LIVE,
    /** Its running workers find messages that another process sends. */
    OTHER_PROCESS,
    /** Messages with the same {@link BenchmarkMessage#orderingKey} run one at a time in the order of their ids, and a failed one is retried in its place. */
    ORDERED,
    /** Ignores a second message with the same {@link BenchmarkMessage#messageKey}. */
    KEYED,
    /** Sends many messages with few statements. */
    BULK,
    /** Publishes a message to several subscriptions: see {@link CandidateAdapter#publishTo}. */
    TOPICS,
    /** Starts messages by their {@link BenchmarkMessage#rank}. */
    PRIORITIES,
    /** Supports more than one queue: see {@link BenchmarkMessage#queue}. */
    MANY_QUEUES,
    /** Supports {@link CandidateAdapter#fillTables}. */
    FILLED_TABLES,
    /** Has screens for operators: see {@link CandidateAdapter#operatorScreens}. */
    OPERATOR_SCREENS,
    /** Several processes can share a backlog. */
    PROCESSES,
    /** They continue when one of them dies, and show which process holds how many messages: see {@link CandidateAdapter#claims}. */
    NODES
}
