package io.acidq.benchmarks.workload;

import java.util.List;

/** A question to a queue, in one or more scenarios. Stateless. */
public interface Workload {

    /** As on the command line. */
    String name();

    /** What it does, for the list of workloads. */
    String purpose();

    /** Run in this order; the first one is what the others are compared with. */
    List<Scenario> scenarios(RunSizes runSizes);
}
