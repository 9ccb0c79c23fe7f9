package io.acidq.benchmarks.workload;

import io.acidq.benchmarks.candidate.BenchmarkMessage;
import io.acidq.benchmarks.candidate.CandidateDatabase.Crew;
import io.acidq.benchmarks.candidate.TableFill;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * How large everything is.
 *
 * @param messages that are worked off, or placed, where nothing else is said
 * @param flow     where messages come at a fixed rate
 * @param workers  of handlers, and producers where the rate is not fixed
 * @param payload  bytes of a message
 * @param age      how full the tables are in the workload {@code growth}
 * @param patience a run that makes no progress for so long is over
 */
public record RunSizes(long messages, Flow flow, int workers, int payload, Age age, Duration patience) {

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
                new Flow(flow.perSecond(), Math.min(flow.seconds(), 2)),
                workers,
                payload,
                new Age(List.of(Math.min(BRIEF_BACKLOG, age.backlogs().get(0))), Age.NOTHING, age.analyzed()),
                patience);
    }

    BenchmarkMessage letter(long id) {
        return BenchmarkMessage.of(id, payload);
    }

    /** Of a scenario that works off a backlog, or places messages. */
    ScenarioSize ofMessages() {
        return ScenarioSize.of("messages", messages);
    }

    /** Of a scenario to which messages come. */
    ScenarioSize ofFlow() {
        return ScenarioSize.of("messages", flow.messages())
                .and("perSecond", flow.perSecond())
                .and("seconds", flow.seconds());
    }

    /** Only workers, on one queue. */
    Crew workersOnly() {
        return new Crew(workers, 1, 1);
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
    public record Flow(int perSecond, int seconds) {

        /** Each is noted in memory: three days of 200 a second. */
        private static final long MOST_MESSAGES = 50_000_000;

        public Flow {
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
     * @param remains  what lies about besides, in a further scenario
     * @param analyzed whether the statistics of the tables are made anew when they are filled
     */
    public record Age(List<Long> backlogs, TableFill remains, boolean analyzed) {

        static final TableFill NOTHING = new TableFill(0, 0, 0);

        public Age {
            backlogs = List.copyOf(backlogs);
            require(
                    !backlogs.isEmpty() && backlogs.stream().allMatch(b -> b >= 0),
                    "--backlogs must name at least one number, none below 0, was " + backlogs);
            require(
                    Set.copyOf(backlogs).size() == backlogs.size(),
                    "--backlogs must not name a number twice, was " + backlogs);
            require(
                    remains.archived() >= 0 && remains.scheduled() >= 0 && remains.dead() >= 0,
                    "--archived, --scheduled and --dead must be at least 0, were " + remains.archived() + ", "
                            + remains.scheduled() + ", " + remains.dead());
        }

        /** No more than the largest of them: a brief run has a small one in the place of each. */
        long atMostLargest(long behind) {
            return Math.min(behind, Collections.max(backlogs));
        }
    }
}
