package io.acidq.benchmarks;

import io.acidq.benchmarks.candidate.TableFill;
import io.acidq.benchmarks.workload.RunSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is asked for on the command line. */
final class BenchmarkOptions {

    @Mixin
    DatabaseOptions where = new DatabaseOptions();

    @Mixin
    LoadOptions loads = new LoadOptions();

    @Option(
            names = "--workloads",
            split = ",",
            description = "some of the workloads, or of their scenarios: order/keys-1 (default: all)")
    List<String> workloads = List.of("all");

    @Option(
            names = "--candidates",
            split = ",",
            description = "some of the candidates, or all (default: the usual ones)")
    List<String> candidates = List.of();

    @Option(names = "--runs", description = "runs of each candidate in each scenario (default 5)")
    int runs = 5;

    @Mixin
    OutputOptions outputs = new OutputOptions();

    @Option(
            names = "--check",
            description = "ends with 1 too when AcidQ reaches less than half of a goal, or when nobody can tell")
    boolean check;

    @Option(names = "--list", description = "says which workloads and candidates there are")
    boolean list;

    RunCounts runCounts() {
        RunSizes runSizes = loads.sizes();
        return loads.warmUp == null
                ? new RunCounts(runSizes, runs)
                : new RunCounts(runSizes, runSizes.brief(loads.warmUp), runs);
    }

    /** Where it happens. */
    static final class DatabaseOptions {

        @Option(
                names = "--url",
                description =
                        "JDBC URL of a server of MySQL or MariaDB; with a database, that one is used, and must have"
                                + " no tables of the same names; without one, a database is made and dropped."
                                + " Without --url a server is started")
        @Nullable
        String url;

        @Option(names = "--user", description = "for --url (default root)")
        String user = "root";

        @Option(names = "--password", description = "for --url (default: none)")
        String password = "";

        @Option(
                names = "--server",
                description = "which server to start without --url: mysql or mariadb (default: the embedded MariaDB)")
        @Nullable
        String server;
    }

    /** Where the results are written to. */
    static final class OutputOptions {

        @Option(names = "--json", description = "writes the results there")
        @Nullable
        Path json;

        @Option(names = "--svg", description = "writes plots into this folder")
        @Nullable
        Path svg;

        /** Before hours of measuring: whether it will be possible to write them. */
        void check() {
            if (json != null) {
                checkFile(json);
            }
            if (svg != null) {
                checkFolder(svg);
            }
        }

        private static void checkFile(Path file) {
            Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has a folder");
            RunSizes.require(!Files.isDirectory(file), "--json: " + file + " is a folder, name a file");
            RunSizes.require(Files.isDirectory(folder), "--json: there is no folder " + folder + ", make it first");
            RunSizes.require(
                    Files.isWritable(Files.exists(file) ? file : folder),
                    "--json: " + file + " can not be written, name another file");
        }

        private static void checkFolder(Path folder) {
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new IllegalArgumentException("--svg: the folder " + folder + " can not be made: " + e, e);
            }
            RunSizes.require(
                    Files.isWritable(folder), "--svg: nothing can be written into " + folder + ", name another folder");
        }
    }

    /** How large it is. */
    static final class LoadOptions {

        @Option(names = "--messages", description = "worked off, or placed, in a run (default 10000)")
        long messages = 10_000;

        @Option(
                names = "--warm-up",
                description = "messages of each candidate's first run, which only warms up (default a quarter of"
                        + " --messages, at most 5000; 2 seconds where the rate is fixed); the JVM compiles for the first"
                        + " hundred thousand")
        @Nullable
        Long warmUp;

        @Option(names = "--seconds", description = "how long messages come at a fixed rate, or none (default 5)")
        int seconds = 5;

        @Option(names = "--rate", description = "messages a second, where the rate is fixed (default 200)")
        int rate = 200;

        @Option(names = "--workers", description = "handlers at once (default 16)")
        int workers = 16;

        @Option(names = "--payload", description = "bytes of a message (default 200)")
        int payload = 200;

        @Option(
                names = "--backlogs",
                split = ",",
                description = "growth: messages that stay behind those worked off (default 1000,100000)")
        List<Long> backlogs = List.of(1000L, 100_000L);

        @Option(names = "--patience", description = "seconds without progress that end a run (default 30)")
        int patience = 30;

        @Mixin
        TableFillOptions rest = new TableFillOptions();

        RunSizes sizes() {
            return new RunSizes(
                    messages,
                    new RunSizes.ArrivalRate(rate, seconds),
                    workers,
                    payload,
                    new RunSizes.TableAge(
                            backlogs, new TableFill(rest.archived, rest.scheduled, rest.dead), rest.analyze),
                    Duration.ofSeconds(patience));
        }
    }

    /** What lies about. */
    static final class TableFillOptions {

        @Option(names = "--archived", description = "growth: done messages that lie about (default 50000)")
        long archived = 50_000;

        @Option(names = "--scheduled", description = "growth: messages that are due tomorrow (default 10000)")
        long scheduled = 10_000;

        @Option(names = "--dead", description = "growth: dead letters (default 1000)")
        long dead = 1000;

        @Option(
                names = "--analyze",
                description = "growth: ANALYZE TABLE after the tables are filled, so that statistics are fresh")
        boolean analyze;
    }
}
