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

/** What is asked for on the command line. */
final class ChaosOptions {

    private static final Set<HandlerAction> HARMLESS = EnumSet.of(HandlerAction.PLAIN, HandlerAction.FLAKY);
    private static final int PRODUCER_THREADS = 4;
    private static final double YEAR = 365 * 24 * 60;
    private static final double HOUR = 3600;

    @Option(
            names = "--url",
            description =
                    "an empty database to attack, whose tables are left there; what harms all of its server is done only when --faults names it (read-only,"
                            + " no-connections). Without --url a server is started, and killed")
    @Nullable
    String url;

    @Option(names = "--user", description = "for --url", defaultValue = "root")
    String user = "root";

    @Option(names = "--password", description = "for --url", defaultValue = "")
    String password = "";

    @Option(
            names = "--server",
            description = "which server to start: mysql or mariadb (default)",
            defaultValue = "mariadb")
    String server = "mariadb";

    @Option(names = "--minutes", description = "how long there is mischief (default 5)", defaultValue = "5")
    double minutes = 5;

    @Option(names = "--seed", description = "decides the order of faults and what producers place; random unless given")
    long seed = new java.util.Random().nextInt(1_000_000);

    @Option(names = "--faults", split = ",", description = "some of the faults (default: all that are possible)")
    List<String> faults = List.of();

    @Option(names = "--json", description = "writes the result there")
    @Nullable
    String json;

    @Option(names = "--workers", description = "worker processes (default 3)", defaultValue = "3")
    int workers = 3;

    @Option(names = "--producers", description = "producer processes (default 2)", defaultValue = "2")
    int producers = 2;

    @Option(
            names = "--per-second",
            description = "messages a second, of all producers, as many of each of their threads (default 200)",
            defaultValue = "200")
    int perSecond = 200;

    @Option(
            names = "--misdeed-in",
            description = "one handler of so many does something bad, such as ending its process (default 150)",
            defaultValue = "150")
    int faultyActionIn = 150;

    @Option(
            names = "--calm",
            description = "seconds between two faults, on average (default 0.9)",
            defaultValue = "0.9")
    double calm = 0.9;

    Duration calm() {
        return Duration.ofMillis(Math.round(calm * 1000));
    }

    Duration time() {
        return Duration.ofSeconds(Math.round(minutes * 60));
    }

    /** Misdeeds of handlers are faults too, by their own names. */
    static String name(HandlerAction handlerAction) {
        return handlerAction.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
                new ProducerBehaviour(seed, each, faultyActions(), faultyActionIn), PRODUCER_THREADS, 8);
    }

    /** What can be seen to be wrong before anything is started. */
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
        refuse(faultyActionIn < 1, "--misdeed-in must be at least 1, was " + faultyActionIn);
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
        refuse(!Files.isWritable(Files.exists(file) ? file : folder), "--json: must not write " + file);
    }

    /**
     * Which faults are wanted; a name that is none is refused.
     *
     * @param possible all that can be done here
     * @param usual    those of them that need not be asked for by name
     */
    Set<String> wanted(List<String> possible, List<String> usual) {
        Set<String> known = new TreeSet<>(possible);
        Stream.of(HandlerAction.values())
                .filter(handlerAction -> !HARMLESS.contains(handlerAction))
                .map(ChaosOptions::name)
                .forEach(known::add);
        for (String fault : faults) {
            refuse(!known.contains(fault), "--faults: there is no '" + fault + "' here, only " + known);
        }
        return new TreeSet<>(faults.isEmpty() ? usual : faults);
    }

    ServerKind kind() {
        return ServerKind.valueOf(server.toUpperCase(Locale.ROOT));
    }

    private static void refuse(boolean isWrong, String saying) {
        if (isWrong) {
            throw new IllegalArgumentException(saying);
        }
    }
}
