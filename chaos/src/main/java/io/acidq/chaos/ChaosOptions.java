package io.acidq.chaos;

import io.acidq.chaos.environment.ProcessSettings;
import io.acidq.chaos.role.HandlerAction;
import io.acidq.chaos.role.ProducerBehaviour;
import io.acidq.testservers.ServerKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the command line. */
final class ChaosOptions {

    private static final Set<HandlerAction> HARMLESS = EnumSet.of(HandlerAction.PLAIN, HandlerAction.FLAKY);
    private static final int PRODUCER_THREADS = 4;
    private static final double YEAR = 365 * 24 * 60;
    private static final double HOUR = 3600;

    @Option(
            names = "--url",
            description =
                    "JDBC URL of an empty database, in which the tables stay. Faults that affect its whole server are"
                            + " injected only if --faults names them (read-only, no-connections). Without --url, a server"
                            + " is started, which is also killed")
    @Nullable
    String url;

    @Option(names = "--user", description = "user for --url (default root)", defaultValue = "root")
    String user = "root";

    @Option(names = "--password", description = "password for --url (default: none)", defaultValue = "")
    String password = "";

    @Option(names = "--server", description = "server to start: mysql or mariadb (default)", defaultValue = "mariadb")
    String server = "mariadb";

    @Option(names = "--minutes", description = "duration of the faults (default 5)", defaultValue = "5")
    double minutes = 5;

    @Option(
            names = "--seed",
            description = "decides the order of the faults and the messages that producers send (default: random)")
    long seed = new java.util.Random().nextInt(1_000_000);

    @Option(names = "--faults", split = ",", description = "names of faults (default: all that are possible)")
    List<String> faults = List.of();

    @Option(names = "--json", description = "file for the result as JSON")
    @Nullable
    String json;

    @Option(names = "--workers", description = "worker processes (default 3)", defaultValue = "3")
    int workers = 3;

    @Option(names = "--producers", description = "producer processes (default 2)", defaultValue = "2")
    int producers = 2;

    @Option(
            names = "--per-second",
            description =
                    "messages a second of all producers together, divided evenly among their threads (default 200)",
            defaultValue = "200")
    int perSecond = 200;

    @Option(
            names = "--handler-fault-in",
            description =
                    "one in this number of messages has a faulty handler, which ends its process, for example (default"
                            + " 150)",
            defaultValue = "150")
    int handlerFaultIn = 150;

    @Option(
            names = "--publish-in",
            description =
                    "one in this number of transactions publishes its messages to a topic with three subscriptions, one of"
                            + " which always fails; 1: all, 0: none (default 10)",
            defaultValue = "10")
    int publishIn = 10;

    @Option(
            names = "--expire-in",
            description =
                    "one in this number of messages without an ordering key has a time to live, half of them so short that"
                            + " some expire; 0: none (default 10)",
            defaultValue = "10")
    int expireIn = 10;

    @Option(
            names = "--cancel-in",
            description =
                    "one in this number of messages is cancelled by an operator; scheduled ones more often, or they are withdrawn or"
                            + " rescheduled; 0: none (default 20)",
            defaultValue = "20")
    int cancelIn = 20;

    @Option(names = "--calm", description = "average seconds between two faults (default 0.9)", defaultValue = "0.9")
    double calm = 0.9;

    Duration calm() {
        return Duration.ofMillis(Math.round(calm * 1000));
    }

    Duration time() {
        return Duration.ofSeconds(Math.round(minutes * 60));
    }

    /** The name of a faulty handler action, which is a fault too. */
    static String name(HandlerAction action) {
        return action.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Set<HandlerAction> faultyActions() {
        Set<HandlerAction> chosen = EnumSet.noneOf(HandlerAction.class);
        Arrays.stream(HandlerAction.values())
                .filter(d -> !HARMLESS.contains(d) && (faults.isEmpty() || faults.contains(name(d))))
                .forEach(chosen::add);
        return chosen;
    }

    ProcessSettings processSettings() {
        int each = perSecond / (producers * PRODUCER_THREADS);
        return new ProcessSettings(
                new ProducerBehaviour(seed, each, faultyActions(), handlerFaultIn, publishIn, expireIn, cancelIn),
                PRODUCER_THREADS,
                8);
    }

    /** Checks the values before anything is started. */
    void check() {
        refuse(!(minutes > 0 && minutes <= YEAR), "--minutes must be above 0 and at most a year, was " + minutes);
        refuse(!(calm >= 0 && calm <= HOUR), "--calm must be from 0 to 3600, was " + calm);
        refuse(workers < 1, "--workers must be at least 1, was " + workers);
        refuse(producers < 1, "--producers must be at least 1, was " + producers);
        long least = (long) producers * PRODUCER_THREADS;
        refuse(
                perSecond < least,
                "--per-second must be at least " + least + ", one for each of the " + PRODUCER_THREADS
                        + " threads of each producer, was " + perSecond);
        refuse(handlerFaultIn < 1, "--handler-fault-in must be at least 1, was " + handlerFaultIn);
        refuse(expireIn < 0, "--expire-in must be at least 0, was " + expireIn);
        refuse(cancelIn < 0, "--cancel-in must be at least 0, was " + cancelIn);
        refuse(publishIn < 0, "--publish-in must be at least 0, was " + publishIn);
        refuse(
                Stream.of(ServerKind.values()).noneMatch(kind -> kind.name().equalsIgnoreCase(server)),
                "--server must be mysql or mariadb, was '" + server + "'");
        if (json != null) {
            checkFile(Path.of(json).toAbsolutePath());
        }
    }

    private static void checkFile(Path file) {
        Path folder = file.getParent();
        refuse(Files.isDirectory(file), "--json must be a file, was the folder " + file);
        refuse(folder != null && !Files.isDirectory(folder), "--json: there is no folder " + folder);
        refuse(!Files.isWritable(Files.exists(file) ? file : folder), "--json: cannot write " + file);
    }

    /**
     * The names of the wanted faults. Refuses an unknown name.
     *
     * @param possible all faults that are possible in this environment
     * @param usual    those that are injected without being named
     */
    Set<String> wanted(List<String> possible, List<String> usual) {
        Set<String> known = new TreeSet<>(possible);
        Stream.of(HandlerAction.values())
                .filter(action -> !HARMLESS.contains(action))
                .map(ChaosOptions::name)
                .forEach(known::add);
        for (String fault : faults) {
            refuse(!known.contains(fault), "--faults: there is no '" + fault + "'; the faults are " + known);
        }
        return new TreeSet<>(faults.isEmpty() ? usual : faults);
    }

    ServerKind kind() {
        return ServerKind.valueOf(server.toUpperCase(Locale.ROOT));
    }

    private static void refuse(boolean isWrong, String message) {
        if (isWrong) {
            throw new IllegalArgumentException(message);
        }
    }
}
