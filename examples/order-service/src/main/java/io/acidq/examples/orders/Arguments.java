package io.acidq.examples.orders;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;

/**
 * The command line as {@link #HELP} describes it.
 *
 * @param parent the process to end with, 0 for none; set by the process that starts worker processes
 */
record Arguments(
        @DefaultValue("all") Role role,
        @DefaultValue("1000") int orders,
        @DefaultValue("4") int producers,
        @DefaultValue("16") int workers,
        @DefaultValue("0") int processes,
        @DefaultValue("0.2") double failRate,
        @DefaultValue("0") int poison,
        @DefaultValue("0") int handlerMs,
        @DefaultValue("0") int keyEvery,
        @DefaultValue("false") boolean dashboard,
        @DefaultValue("0") long parent) {

    static final String HELP = """
            order-service: places orders and ships them through the queue, then counts; exit code 0 if the counts are consistent.
              --role=all|producer|worker|report  what this process does (all)
              --orders=N        orders to place (1000)
              --producers=T     threads that place them (4)
              --workers=W       orders that a process ships at once (16)
              --processes=P     processes that ship; 0: this one, or 2 with --poison (0)
              --fail-rate=0..1  share of runs of the handler that throw; the third failure makes an order a dead letter (0.2)
              --poison=K        every K-th order kills the process that ships it; 0: none (0)
              --handler-ms=M    how long the handler takes (0)
              --key-every=K     every K-th order is enqueued twice under one message key; 0: none (0)
              --dashboard       serves the dashboard while the job runs, and until Ctrl-C after its end
              --spring.datasource.url=... --spring.datasource.username=... --spring.datasource.password=...
                                a MySQL or MariaDB of your own; an embedded MariaDB otherwise""";

    static final int CUSTOMERS = 100;

    /** Spring Boot's own options without a dot in their names. */
    private static final Set<String> SPRING_OPTIONS = Set.of("debug", "trace");

    /** The role of a process. */
    enum Role {
        /** Places orders, ships them, reports, and ends. */
        ALL,
        /** Places orders and ends. */
        PRODUCER,
        /** Ships until it is stopped. */
        WORKER,
        /** Counts the rows of the tables and ends. */
        REPORT
    }

    Arguments {
        requireRange("orders", orders, 0, 100_000_000);
        requireRange("producers", producers, 1, CUSTOMERS);
        requireRange("workers", workers, 1, 1000);
        requireRange("processes", processes, 0, 100);
        requireRange("fail-rate", failRate, 0, 1);
        requireRange("poison", poison, 0, Integer.MAX_VALUE);
        requireRange("handler-ms", handlerMs, 0, 600_000);
        requireRange("key-every", keyEvery, 0, Integer.MAX_VALUE);
    }

    /**
     * Reads the command line. Options with a dot in their names are Spring properties and are ignored here.
     *
     * @throws IllegalArgumentException if an option is unknown or its value is not allowed
     */
    static Arguments parse(String... args) {
        ApplicationArguments given = new DefaultApplicationArguments(args);
        for (String word : given.getNonOptionArgs()) {
            throw new IllegalArgumentException("'" + word + "' is not an option");
        }
        Map<String, String> values = new HashMap<>();
        for (String name : given.getOptionNames()) {
            if (!name.contains(".") && !SPRING_OPTIONS.contains(name)) {
                String value = String.join(",", given.getOptionValues(name));
                if (value.isEmpty() && name.equals("dashboard")) {
                    value = "true";
                }
                if (value.isEmpty()) {
                    throw new IllegalArgumentException("--" + name + " needs a value: --" + name + "=...");
                }
                values.put(name, value);
            }
        }
        try {
            return new Binder(new MapConfigurationPropertySource(values))
                    .bindOrCreate(
                            "", Bindable.of(Arguments.class), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
        } catch (BindException e) {
            throw new IllegalArgumentException(explain(e, values), e);
        }
    }

    private static String explain(BindException e, Map<String, String> values) {
        String name = e.getName().toString();
        if (!name.isEmpty()) {
            return "--" + name + " cannot be " + values.get(name);
        }
        if (e.getCause() instanceof UnboundConfigurationPropertiesException unknown) {
            return unknown.getUnboundProperties().stream()
                            .map(property -> "--" + property.getName())
                            .collect(Collectors.joining(", "))
                    + " is not an option";
        }
        return String.valueOf(NestedExceptionUtils.getMostSpecificCause(e).getMessage());
    }

    private static void requireRange(String name, double value, int least, int most) {
        if (!(value >= least && value <= most)) { // true for NaN
            throw new IllegalArgumentException("--" + name + " must be from " + least + " to " + most);
        }
    }

    /** Whether this process places orders. */
    boolean places() {
        return role == Role.ALL || role == Role.PRODUCER;
    }

    /** Whether the handler runs in this process. */
    boolean shipsHere() {
        return role == Role.WORKER || (role == Role.ALL && workerProcesses() == 0);
    }

    /** How many processes this process starts to ship its orders. */
    int workerProcesses() {
        if (role != Role.ALL) {
            return 0;
        }
        return processes == 0 && poison > 0 ? 2 : processes;
    }
}
