package io.acidq.benchmarks.candidate;

/** What a workload may ask of a candidate. One that lacks it is left out of the workload, and the report says so. */
public enum Capability {
    /** {@link CandidateAdapter#fill}, then {@link CandidateAdapter#start}: works off what is there. */
    BACKLOG,
    /** {@link CandidateAdapter#send}: a message in the transaction of a business row. */
    SENDING,
    /** Its workers find what {@link CandidateAdapter#send} brings while they run. */
    LIVE,
    /** The same of what {@link CandidateAdapter#send} brings in another process. */
    OTHER_PROCESS,
    /** Letters with equal {@link BenchmarkMessage#orderingKey} run one at a time, in the order of their ids; a failing one is tried again in its place. */
    ORDERED,
    /** A second letter with the same {@link BenchmarkMessage#messageKey} is no second message. */
    KEYED,
    /** {@link CandidateAdapter#send} writes many letters with few statements. */
    BULK,
    /** {@link BenchmarkMessage#queue} tells apart as many queues as {@link CandidateDatabase#queues} says. */
    MANY_QUEUES,
    /** {@link CandidateAdapter#fillTables}. */
    FILLED_TABLES,
    /** Several processes work on one backlog, and go on when one of them dies. */
    NODES
}
