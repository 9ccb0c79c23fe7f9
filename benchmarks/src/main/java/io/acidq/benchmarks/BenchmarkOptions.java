package io.acidq.benchmarks;

import io.acidq.benchmarks.BenchmarkRunner.RunCounts;
import io.acidq.benchmarks.candidate.CandidateAdapter.TableFill;
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

/** The options of the command line. */
final class BenchmarkOptions {
    @Mixin
    DatabaseOptions database = new DatabaseOptions();

    @Mixin
    LoadOptions load = new LoadOptions();

    @Option(
            names = "--workloads",
            split = ",",
            description = "names of workloads, or of single scenarios such as order/keys-1 (default: all)")
    List<String> workloads = List.of("all");

    @Option(
            names = "--candidates",
            split = ",",
            description = "names of candidates, or all (default: those marked by --list)")
    List<String> candidates = List.of();

    @Option(names = "--runs", description = "runs of each candidate in each scenario (default 5)")
    int runs = 5;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Option(
            names = "--check",
            description =
                    "exit code 1 also if AcidQ reaches less than half of a goal, or if a goal cannot be evaluated")
    boolean check;

    @Option(names = "--list", description = "lists the workloads and candidates")
    boolean list;

    RunCounts runCounts() {
        RunSizes runSizes = load.sizes();
        return load.warmUp == null
                ? new RunCounts(runSizes, runs)
                : new RunCounts(runSizes, runSizes.forWarmUp(load.warmUp), runs);
    }

    /** The database. */
    static final class DatabaseOptions {
        @Option(
                names = "--url",
                description =
                        "JDBC URL of a MySQL or MariaDB server. A database in the URL is used and must have no tables"
                                + " of the same names. Without one, a database is created and dropped."
                                + " Without --url, a server is started")
        @Nullable
        String url;

        @Option(names = "--user", description = "user for --url (default root)")
        String user = "root";

        @Option(names = "--password", description = "password for --url (default: none)")
        String password = "";

        @Option(
                names = "--server",
                description = "server to start without --url: mysql or mariadb (default: the embedded MariaDB)")
        @Nullable
        String server;
    }

    /** The files of the results. */
    static final class OutputOptions {
        @Option(names = "--json", description = "file for the results as JSON")
        @Nullable
        Path json;

        @Option(names = "--svg", description = "folder for plots")
        @Nullable
        Path svg;

        /** Checks before a long measurement that the results can be written. */
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
            RunSizes.require(Files.isDirectory(folder), "--json: there is no folder " + folder + ", create it first");
            RunSizes.require(
                    Files.isWritable(Files.exists(file) ? file : folder),
                    "--json: " + file + " cannot be written, name another file");
        }

        private static void checkFolder(Path folder) {
            try {
                Files.createDirectories(folder);
            } catch (IOException e) {
                throw new IllegalArgumentException("--svg: the folder " + folder + " cannot be created: " + e, e);
            }
            RunSizes.require(
                    Files.isWritable(folder), "--svg: the folder " + folder + " is not writable, name another folder");
        }
    }

    /** The sizes of a run. */
    static final class LoadOptions {
        @Option(names = "--messages", description = "messages of a run (default 10000)")
        long messages = 10_000;

        @Option(
                names = "--warm-up",
                description =
                        "messages of each candidate's warm-up run (default: a quarter of --messages, at most 5000; 2"
                                + " seconds where the rate is fixed). The JVM compiles during the first hundred thousand")
        @Nullable
        Long warmUp;

        @Option(names = "--seconds", description = "duration of a fixed rate or of an idle time (default 5)")
        int seconds = 5;

        @Option(names = "--rate", description = "messages a second where the rate is fixed (default 200)")
        int rate = 200;

        @Option(names = "--workers", description = "worker threads (default 16)")
        int workers = 16;

        @Option(names = "--payload", description = "bytes of a message (default 200)")
        int payload = 200;

        @Option(
                names = "--backlogs",
                split = ",",
                description = "growth: messages that stay behind those worked off (default 1000,100000)")
        List<Long> backlogs = List.of(1000L, 100_000L);

        @Option(names = "--timeout", description = "seconds without progress that end a run (default 30)")
        int timeout = 30;

        @Option(names = "--archived", description = "growth: archived messages (default 50000)")
        long archived = 50_000;

        @Option(names = "--scheduled", description = "growth: messages that are due tomorrow (default 10000)")
        long scheduled = 10_000;

        @Option(names = "--dead", description = "growth: dead letters (default 1000)")
        long dead = 1000;

        @Option(
                names = "--analyze",
                description = "growth: runs ANALYZE TABLE after the tables are filled, for fresh statistics")
        boolean analyze;

        RunSizes sizes() {
            return new RunSizes(
                    messages,
                    new RunSizes.ArrivalRate(rate, seconds),
                    workers,
                    payload,
                    new RunSizes.TableAge(backlogs, new TableFill(archived, scheduled, dead), analyze),
                    Duration.ofSeconds(timeout));
        }
    }
}
