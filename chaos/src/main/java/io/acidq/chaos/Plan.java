package io.acidq.chaos;

import io.acidq.chaos.arena.Cast;
import io.acidq.chaos.role.Deed;
import io.acidq.chaos.role.Temper;
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
final class Plan {

    private static final Set<Deed> HARMLESS = EnumSet.of(Deed.PLAIN, Deed.FLAKY);
    private static final int PRODUCER_THREADS = 4;

    @Option(
            names = "--url",
            description = "a database to attack, its tables are left there; without it a server is started, and killed")
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
            description = "messages a second, of all producers (default 200)",
            defaultValue = "200")
    int perSecond = 200;

    @Option(
            names = "--misdeed-in",
            description = "one handler of so many does something bad, such as ending its process (default 150)",
            defaultValue = "150")
    int misdeedIn = 150;

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
    static String name(Deed deed) {
        return deed.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Set<Deed> misdeeds() {
        Set<Deed> chosen = EnumSet.noneOf(Deed.class);
        Arrays.stream(Deed.values())
                .filter(d -> !HARMLESS.contains(d) && (faults.isEmpty() || faults.contains(name(d))))
                .forEach(chosen::add);
        return chosen;
    }

    Cast cast() {
        int each = Math.max(1, perSecond / (producers * PRODUCER_THREADS));
        return new Cast(new Temper(seed, each, misdeeds(), misdeedIn), PRODUCER_THREADS, 8);
    }

    /** Which of the possible faults are wanted; a name that is none is refused. */
    Set<String> wanted(List<String> possible) {
        Set<String> known = new TreeSet<>(possible);
        Stream.of(Deed.values()).map(Plan::name).forEach(known::add);
        for (String fault : faults) {
            if (!known.contains(fault)) {
                throw new IllegalArgumentException("--faults: there is no '" + fault + "' here, only " + known);
            }
        }
        return new TreeSet<>(faults.isEmpty() ? possible : faults);
    }
}
