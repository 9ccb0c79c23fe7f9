package io.acidq.examples.orders;

import org.springframework.boot.DefaultApplicationArguments;

/**
 * The command line. Arguments with a dot in their name are Spring properties and are ignored here.
 *
 * @param role    what this process does
 * @param placing how orders are placed
 * @param workerSettings   who ships
 * @param simulatedFailures what goes wrong on purpose
 * @param parent  the process to end with, 0 for none; given to worker processes by the one that starts them
 */
record Arguments(
        Role role, Placing placing, WorkerSettings workerSettings, SimulatedFailures simulatedFailures, long parent) {

    static final String HELP = """
            order-service: places orders and ships them through the queue, then counts; exit code 0 if the counts are consistent.
              --role=all|producer|worker|report  what this process does (all)
              --orders=N        orders to place (1000)
              --producers=T     threads that place them (4)
              --workers=W       orders that a process ships at once (16)
              --processes=P     processes that ship; 0: this one (0, with --poison 2)
              --fail-rate=0..1  share of runs of the handler that throw (0)
              --poison=K        every K-th order kills the process that ships it; 0: none (0)
              --handler-ms=M    how long the handler takes (0)
              --key-every=K     every K-th order is announced twice under one key; 0: none (0)
              --spring.datasource.url=... --spring.datasource.username=... --spring.datasource.password=...
                                a MySQL or MariaDB of your own; an embedded MariaDB otherwise""";

    private static final int POISONED_PROCESSES = 2;

    static Arguments parse(String... args) {
        ArgumentReader reader = new ArgumentReader(new DefaultApplicationArguments(args));
        Role role = reader.choice("role", Role.ALL);
        Placing placing = new Placing(
                reader.whole("orders", 1000, 0, 100_000_000),
                reader.whole("producers", 4, 1, Placing.CUSTOMERS),
                reader.whole("key-every", 0, 0, Integer.MAX_VALUE));
        SimulatedFailures simulatedFailures = new SimulatedFailures(
                reader.share("fail-rate", 0),
                reader.whole("poison", 0, 0, Integer.MAX_VALUE),
                reader.whole("handler-ms", 0, 0, 600_000));
        boolean kills = simulatedFailures.poison() > 0 && role == Role.ALL;
        WorkerSettings workerSettings = new WorkerSettings(
                reader.whole("workers", 16, 1, 1000),
                reader.whole("processes", kills ? POISONED_PROCESSES : 0, kills ? 1 : 0, 100));
        long parent = reader.whole("parent", 0, 0, Integer.MAX_VALUE);
        reader.refuseOthers();
        return new Arguments(role, placing, workerSettings, simulatedFailures, parent);
    }

    /** Whether the handler runs in this process. */
    boolean shipsHere() {
        return role == Role.WORKER || (role == Role.ALL && workerSettings.processes() == 0);
    }

    /** Whether this process keeps worker processes. */
    boolean keepsProcesses() {
        return role == Role.ALL && workerSettings.processes() > 0;
    }
}
