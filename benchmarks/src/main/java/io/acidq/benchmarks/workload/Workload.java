package io.acidq.benchmarks.workload;

import java.util.List;
import java.util.function.Function;

/**
 * A question to a queue, in one or more scenarios. Stateless.
 *
 * @param name      on the command line
 * @param purpose   for the list of workloads
 * @param scenarios creates the scenarios in the order of their runs; the others are compared with the first one
 */
public record Workload(String name, String purpose, Function<RunSizes, List<Scenario>> scenarios) {
    public List<Scenario> scenarios(RunSizes runSizes) {
        return scenarios.apply(runSizes);
    }

    /** All workloads, in the order of their runs. */
    public static List<Workload> all() {
        return List.of(
                new Workload("drain", "a backlog is worked off", BacklogWorkloads::drain),
                new Workload(
                        "produce",
                        "messages are sent: with a business row (rows-only: without the message), with a key too,"
                                + " alone, "
                                + Produce.BULK + " in a transaction",
                        Produce::scenarios),
                new Workload(
                        "publish",
                        "a message with a business row is enqueued, and published to 1, 3 and 10 subscriptions",
                        Produce::publishScenarios),
                new Workload(
                        "steady",
                        "--rate messages a second from this process: from the return of COMMIT to the start of the"
                                + " handler",
                        SteadyRate::sameProcess),
                new Workload(
                        "steady-other",
                        "the same from another process, without the first quarter, in which that process warms up",
                        SteadyRate::otherProcess),
                new Workload(
                        "growth",
                        "--messages are worked off in front of --backlogs, which stay;"
                                + " among --archived, --scheduled, --dead rows",
                        BacklogWorkloads::growth),
                new Workload(
                        "priorities",
                        "--messages of NORMAL are worked off, a third of each priority, and those of HIGH in front of"
                                + " --backlogs of LOW, which stay",
                        BacklogWorkloads::priorities),
                new Workload(
                        "snapshot",
                        "a backlog is worked off while another transaction keeps an old snapshot open",
                        BacklogWorkloads::snapshot),
                new Workload(
                        "idle",
                        "1 queue, and " + IdleQueues.MANY + ", are idle for --seconds; then one message comes,"
                                + " from this or another process",
                        IdleQueues::scenarios),
                new Workload(
                        "order",
                        "a backlog with ordering keys is worked off: 1, " + OrderingKeys.FEW + ", " + OrderingKeys.MANY
                                + " keys (at most one for each message), half on one key, and " + OrderingKeys.FEW
                                + " keys, of which one fails at its head",
                        OrderingKeys::scenarios),
                new Workload(
                        "slow",
                        "like steady; 1 % of the handlers take 1 s, and the latency is that of the others",
                        SteadyRate::slowHandlers),
                new Workload(
                        "queues",
                        "a backlog is worked off in one queue, and spread over " + BacklogWorkloads.MANY_QUEUES,
                        BacklogWorkloads::manyQueues),
                new Workload(
                        "processes",
                        "a backlog is worked off by 1, 2 and 4 processes, each with --workers; the rate is that of the second"
                                + " half",
                        WorkerProcesses::scenarios),
                new Workload(
                        "screens",
                        "each screen for operators is opened over the largest of --backlogs, --archived, --scheduled and"
                                + " --dead rows; then --messages and more are worked off, in windows of --seconds without"
                                + " and with viewers",
                        OperatorLoad::scenarios),
                new Workload(
                        "recovery",
                        Recovery.NODES + " processes work off a backlog, and the one with most claims is killed"
                                + " (kill -9): from then to the last effect",
                        Recovery::scenarios));
    }
}
