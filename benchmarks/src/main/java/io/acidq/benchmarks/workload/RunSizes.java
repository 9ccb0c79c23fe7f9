package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.CandidateDatabase.Parallelism;
import io.acidq.benchmarks.candidate.TableFill;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * How large everything is.
 *
 * @param messages that are worked off, or placed, where nothing else is said
 * @param arrivalRate     where messages come at a fixed rate
 * @param workers  of handlers, and producers where the rate is not fixed
 * @param payload  bytes of a message
 * @param tableAge      how full the tables are in the workload {@code growth}
 * @param patience a run that makes no progress for so long is over
 */
public record RunSizes(
        long messages, ArrivalRate arrivalRate, int workers, int payload, TableAge tableAge, Duration patience) {

    private static final int SMALLEST_PAYLOAD = 12;
    private static final long BRIEF_BACKLOG = 1000;

    public RunSizes {
        require(messages >= 1, "--messages must be at least 1, was " + messages);
        require(workers >= 1 && workers <= 1000, "--workers must be 1 to 1000, was " + workers);
        require(
                payload >= SMALLEST_PAYLOAD && payload <= 1_000_000,
                "--payload must be 12 to 1000000 bytes, was " + payload);
        require(
                patience.compareTo(Duration.ZERO) > 0,
                "--patience must be at least 1 second, was " + patience.toSeconds());
    }

    /** The same for a round that only warms up. */
    public RunSizes brief() {
        return brief(Math.min(messages, Math.max(1, Math.min(messages / 4, 5000))));
    }

    /** The same for a round that only warms up, by so many messages where no rate is fixed. */
    public RunSizes brief(long warmUp) {
        require(warmUp >= 1, "--warm-up must be at least 1, was " + warmUp);
        return new RunSizes(
                warmUp,
                new ArrivalRate(arrivalRate.perSecond(), Math.min(arrivalRate.seconds(), 2)),
                workers,
                payload,
                new TableAge(
                        List.of(Math.min(BRIEF_BACKLOG, tableAge.backlogs().get(0))),
                        TableAge.NOTHING,
                        tableAge.analyzed()),
                patience);
    }

    BenchmarkMessage message(long id) {
        return BenchmarkMessage.of(id, payload);
    }

    /** Of a scenario that works off a backlog, or places messages. */
    ScenarioSize ofMessages() {
        return ScenarioSize.of("messages", messages);
    }

    /** Of a scenario to which messages come. */
    ScenarioSize ofFlow() {
        return ScenarioSize.of("messages", arrivalRate.messages())
                .and("perSecond", arrivalRate.perSecond())
                .and("seconds", arrivalRate.seconds());
    }

    /** Only workers, on one queue. */
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
     * @param perSecond messages
     * @param seconds   how long; a time without messages is as long
     */
    public record ArrivalRate(int perSecond, int seconds) {

        /** Each is noted in memory: three days of 200 a second. */
        private static final long MOST_MESSAGES = 50_000_000;

        public ArrivalRate {
            require(perSecond >= 1 && perSecond <= 100_000, "--rate must be 1 to 100000, was " + perSecond);
            require(seconds >= 1, "--seconds must be at least 1, was " + seconds);
            require(
                    (long) perSecond * seconds <= MOST_MESSAGES,
                    "--rate times --seconds must be at most " + MOST_MESSAGES + " messages, was "
                            + (long) perSecond * seconds);
        }

        int messages() {
            return perSecond * seconds;
        }
    }

    /**
     * How full the tables are.
     *
     * @param backlogs messages that stay behind those that are worked off, one scenario each
     * @param tableFill  what lies about besides, in a further scenario
     * @param analyzed whether the statistics of the tables are made anew when they are filled
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

        /** No more than the largest of them: a brief run has a small one in the place of each. */
        long atMostLargest(long behind) {
            return Math.min(behind, Collections.max(backlogs));
        }
    }
}
