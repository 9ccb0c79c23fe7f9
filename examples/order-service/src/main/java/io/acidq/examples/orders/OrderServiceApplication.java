package io.acidq.examples.orders;

import java.util.Locale;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Starts the job with the {@link Arguments} of the command line. */
@SpringBootApplication(proxyBeanMethods = false)
public class OrderServiceApplication {

    private static final int OK = 0;
    private static final int BAD_ARGUMENTS = 2;
    private static final int STOPPED = 143;

    private static final int DASHBOARD_PORT = 8086;

    /** Connections for the engine's own work and for counting, besides one for each worker and producer. */
    private static final int OTHER_CONNECTIONS = 8;

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
        } catch (IllegalArgumentException e) {
            Progress.print(e.getMessage() + " (--help lists the options)");
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
        int workers = arguments.shipsHere() ? arguments.workers() : 0;
        int producers = arguments.places() ? arguments.producers() : 0;
        application.setDefaultProperties(Map.of(
                "shipping.here", arguments.shipsHere(),
                "shipping.workers", arguments.workers(),
                "acidq.dashboard.enabled", arguments.dashboard(),
                "acidq.dashboard.port", DASHBOARD_PORT,
                "spring.datasource.hikari.maximum-pool-size", workers + producers + OTHER_CONNECTIONS));
        return application.run(args);
    }

    /** The embedded database ends with the process that starts it, so only a process that does everything can use it. */
    private static void requireDatabase(Arguments.Role role, String... args) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
        if (role != Arguments.Role.ALL && !environment.containsProperty(EmbeddedDatabase.URL_PROPERTY)) {
            throw new IllegalArgumentException("--role=" + role.name().toLowerCase(Locale.ROOT) + " needs --"
                    + EmbeddedDatabase.URL_PROPERTY + "=jdbc:...: a database that other processes use too");
        }
    }
}
