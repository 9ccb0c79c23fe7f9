package io.acidq.examples.orders;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Starts the job; {@link Arguments} says what can be asked of it. */
@SpringBootApplication(proxyBeanMethods = false)
public class OrderServiceApplication {

    private static final int OK = 0;
    private static final int BAD_ARGUMENTS = 2;
    private static final int STOPPED = 143;

    /** Connections for the engine's own work and for counting, besides one for each worker and producer. */
    private static final int HEADROOM = 8;

    public static void main(String[] args) throws InterruptedException {
        System.exit(run(args));
    }

    /** The whole program without its exit. */
    static int run(String... args) throws InterruptedException {
        if (args.length == 1 && args[0].equals("--help")) {
            System.out.println(Arguments.HELP);
            return OK;
        }
        Arguments arguments;
        try {
            arguments = Arguments.parse(args);
            requireDatabase(arguments.role(), args);
        } catch (BadArgumentException e) {
            Progress.print(e.getMessage() + " (--help tells more)");
            return BAD_ARGUMENTS;
        }
        try (ConfigurableApplicationContext context = start(arguments, args)) {
            return run(context);
        }
    }

    private static int run(ConfigurableApplicationContext context) throws InterruptedException {
        try {
            return context.getBean(Job.class).run();
        } catch (RuntimeException e) {
            if (!context.isClosed()) {
                throw e;
            }
            return STOPPED; // by a signal: the application closes while the job runs, so failures are expected
        }
    }

    private static ConfigurableApplicationContext start(Arguments arguments, String... args) {
        SpringApplication application = new SpringApplication(OrderServiceApplication.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("jobArguments", arguments));
        int workers = arguments.shipsHere() ? arguments.workerSettings().workers() : 0;
        int producers = arguments.role().places() ? arguments.placing().producers() : 0;
        application.setDefaultProperties(Map.of(
                "shipping.here", arguments.shipsHere(),
                "shipping.workers", arguments.workerSettings().workers(),
                "spring.datasource.hikari.maximum-pool-size", workers + producers + HEADROOM));
        return application.run(args);
    }

    /** A database of its own, that ends with the process, serves a process that does all; any other would wait for ever. */
    private static void requireDatabase(Role role, String... args) {
        StandardEnvironment given = new StandardEnvironment();
        given.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        if (role != Role.ALL && !given.containsProperty(EmbeddedDatabase.URL_PROPERTY)) {
            throw new BadArgumentException("--role=" + role + " needs --" + EmbeddedDatabase.URL_PROPERTY
                    + "=jdbc:...: the embedded database is seen by one process and its children only");
        }
    }

    @Bean
    SimulatedFailures simulatedFailures(Arguments arguments) {
        return arguments.simulatedFailures();
    }
}
