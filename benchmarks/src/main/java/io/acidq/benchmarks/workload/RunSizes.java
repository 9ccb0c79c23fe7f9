package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.CandidateAdapter.TableFill;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.workload.Scenario.ScenarioSize;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * The sizes of a run.
 *
 * @param messages    messages to work off or to send, unless the workload has a fixed rate
 * @param arrivalRate for workloads with a fixed rate
 * @param workers     worker threads, and producer threads of workloads without a fixed rate
 * @param payload     bytes of a message
 * @param tableAge    for the workload {@code growth}
 * @param timeout    a run ends after this time without progress
 */
public record RunSizes(
        long messages, ArrivalRate arrivalRate, int workers, int payload, TableAge tableAge, Duration timeout) {

    private static final int MIN_PAYLOAD = 12;
    private static final long WARM_UP_BACKLOG = 1000;

    public RunSizes {
        require(messages >= 1, "--messages must be at least 1, was " + messages);
        require(workers >= 1 && workers <= 1000, "--workers must be 1 to 1000, was " + workers);
        require(
                payload >= MIN_PAYLOAD && payload <= 1_000_000,
                "--payload must be 12 to 1000000 bytes, was " + payload);
        require(
                timeout.compareTo(Duration.ZERO) > 0,
                "--timeout must be at least 1 second, was " + timeout.toSeconds());
    }

    /** The default sizes of the warm-up. */
    public RunSizes forWarmUp() {
        return forWarmUp(Math.min(messages, Math.max(1, Math.min(messages / 4, 5000))));
    }

    /** The sizes of a warm-up with this number of messages, where the rate is not fixed. */
    public RunSizes forWarmUp(long warmUp) {
        require(warmUp >= 1, "--warm-up must be at least 1, was " + warmUp);
        return new RunSizes(
                warmUp,
                new ArrivalRate(arrivalRate.perSecond(), Math.min(arrivalRate.seconds(), 2)),
                workers,
                payload,
                new TableAge(
                        List.of(Math.min(WARM_UP_BACKLOG, tableAge.backlogs().get(0))),
                        TableAge.NOTHING,
                        tableAge.analyzed()),
                timeout);
    }

    BenchmarkMessage message(long id) {
        return BenchmarkMessage.of(id, payload);
    }

    /** The size of a scenario that works off a backlog or sends messages. */
    ScenarioSize ofMessages() {
        return ScenarioSize.of("messages", messages);
    }

    /** The size of a scenario with a fixed rate. */
    ScenarioSize ofFlow() {
        return ScenarioSize.of("messages", arrivalRate.messages())
                .and("perSecond", arrivalRate.perSecond())
                .and("seconds", arrivalRate.seconds());
    }

    /** The parallelism of workers alone, on one queue. */
    Parallelism workersOnly() {
        return new Parallelism(workers, 1, 1);
    }

    public static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    /**
     * A fixed rate.
     *
     * @param perSecond messages a second
     * @param seconds   duration, also of the idle time of the workload {@code idle}
     */
    public record ArrivalRate(int perSecond, int seconds) {

        /** Each message has an entry in memory: three days of 200 messages a second. */
        private static final long MAX_MESSAGES = 50_000_000;

        public ArrivalRate {
            require(perSecond >= 1 && perSecond <= 100_000, "--rate must be 1 to 100000, was " + perSecond);
            require(seconds >= 1, "--seconds must be at least 1, was " + seconds);
            require(
                    (long) perSecond * seconds <= MAX_MESSAGES,
                    "--rate times --seconds must be at most " + MAX_MESSAGES + " messages, was "
                            + (long) perSecond * seconds);
        }

        int messages() {
            return perSecond * seconds;
        }
    }

    /**
     * The rows in the tables of the workload {@code growth}.
     *
     * @param backlogs  messages that stay behind those that are worked off, one scenario each
     * @param tableFill further rows, in a scenario of their own
     * @param analyzed  whether the statistics of the filled tables are refreshed
     */
    public record TableAge(List<Long> backlogs, TableFill tableFill, boolean analyzed) {

        static final TableFill NOTHING = new TableFill(0, 0, 0);

        public TableAge {
            backlogs = List.copyOf(backlogs);
            require(
                    !backlogs.isEmpty() && backlogs.stream().allMatch(b -> b >= 0),
                    "--backlogs must name at least one number, none below 0, was " + backlogs);
            require(
                    Set.copyOf(backlogs).size() == backlogs.size(),
                    "--backlogs must not name a number twice, was " + backlogs);
            require(
                    tableFill.archived() >= 0 && tableFill.scheduled() >= 0 && tableFill.dead() >= 0,
                    "--archived, --scheduled and --dead must be at least 0, were " + tableFill.archived() + ", "
                            + tableFill.scheduled() + ", " + tableFill.dead());
        }

        /** At most the largest backlog, because a warm-up has one small backlog in place of each. */
        long atMostLargest(long behind) {
            return Math.min(behind, Collections.max(backlogs));
        }
    }
}
