package io.acidq.benchmarks.candidate;

/** What a workload may ask of a candidate. One that lacks it is left out of the workload, and the report says so. */
public enum Capability {
    /** {@link Bench#fill}, then {@link Bench#start}: works off what is there. */
    BACKLOG,
    /** {@link Bench#place}: a message in the transaction of a business row. */
    PLACING,
    /** Its workers find what {@link Bench#place} brings while they run. */
    LIVE,
    /** The same of what {@link Bench#place} brings in another process. */
    FROM_AFAR,
    /** Letters with equal {@link BenchmarkMessage#orderingKey} run one at a time, in the order of their ids; a failing one is tried again in its place. */
    ORDERED,
    /** A second letter with the same {@link BenchmarkMessage#messageKey} is no second message. */
    KEYED,
    /** {@link Bench#place} writes many letters with few statements. */
    BULK,
    /** {@link BenchmarkMessage#queue} tells apart as many queues as {@link CandidateDatabase#queues} says. */
    MANY_QUEUES,
    /** {@link Bench#litter}. */
    REMAINS,
    /** Several processes work on one backlog, and go on when one of them dies. */
    NODES
}
