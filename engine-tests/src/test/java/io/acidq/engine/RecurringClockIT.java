package io.acidq.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.acidq.Recurring;
import io.acidq.Recurring.Misfire;
import io.acidq.Schedule;
import io.acidq.admin.Operator;
import io.acidq.testservers.FakeClock;
import io.acidq.testservers.FullBuild;
import io.acidq.testservers.PrivateServer;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ArgumentsSource;

/** Recurring messages while the clock of the server is moved, by a thousand minutes in the full build, and workers are killed. */
@TestInstance(Lifecycle.PER_CLASS)
@ParameterizedClass
@ArgumentsSource(AnyServer.Servers.class)
@AnyServer(ServerKind.MARIADB)
class RecurringClockIT extends EngineTests {

    private static final String SERVER_TIME = "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) AS SIGNED)";
    private static final int KILLS = FullBuild.IS_ON ? 20 : 2;
    private static final Duration STEP = Duration.ofMinutes(50);
    private static final List<Recurring> MESSAGES = List.of(
            minutely("every minute", Schedule.every(Duration.ofMinutes(1))),
            minutely("cron", Schedule.cron("0 * * * * *", "Europe/Berlin")),
            minutely("quarter", Schedule.cron("30 0/15 * * * *", "America/New_York")),
            Recurring.message("combined", Schedule.every(Duration.ofMinutes(1)), RecurringWorker.QUEUE)
                    .withMisfire(Misfire.once()));

    @Parameter
    private ServerKind kind;

    @TempDir
    private static Path folder;

    private FakeClock clock;
    private PrivateServer server;

    private static Recurring minutely(String name, Schedule schedule) {
        return Recurring.message(name, schedule, RecurringWorker.QUEUE).withMisfire(Misfire.catchUp(1000));
    }

    @BeforeParameterizedClassInvocation
    void startServer() {
        clock = FakeClock.keptIn(folder.resolve("of-the-server-" + kind));
        server = TestServers.startPrivate(kind, clock);
    }

    @AfterParameterizedClassInvocation
    void stopServer() {
        server.close();
        clock.close();
    }

    @BeforeEach
    void openDatabase() {
        open(server.server().createDatabase(), config -> {}, pool -> pool);
    }

    @AfterEach
    void close() {
        closeDatabase();
    }

    /** Takes about a minute in the full build, where twenty processes start and are killed. */
    @Test
    void enqueuesEachTickOnceWhateverDies() throws Exception {
        transactions.run(() -> MESSAGES.forEach(message -> sender().recurring().put(message)));
        List<Instant> firsts = MESSAGES.stream()
                .map(message -> sender().recurring().next(message.name(), 1).get(0))
                .toList();
        Random random = new Random(kind.ordinal());
        List<RecurringWorker> workers = new ArrayList<>(List.of(worker(), worker()));
        for (int kill = 1; kill <= KILLS; kill++) {
            clock.move(STEP.multipliedBy(kill));
            long before = rows("acidq_tick");
            awaitUntil(() -> rows("acidq_tick") > before + random.nextInt(60)); // in the middle of it
            workers.remove(0).kill();
            workers.add(worker());
        }
        awaitDrained();
        long late = count(SERVER_TIME);
        clock.move(STEP.multipliedBy(KILLS).minusMinutes(30));
        awaitUntil(() -> count(SERVER_TIME) < late);
        long ticks = rows("acidq_tick");
        awaitHeartbeats(20);
        assertThat(rows("acidq_tick"))
                .as("none comes again when the clock is set back")
                .isEqualTo(ticks);
        clock.move(STEP.multipliedBy(KILLS).plusMinutes(1));
        Instant end = Instant.now().plus(STEP.multipliedBy(KILLS)).truncatedTo(ChronoUnit.SECONDS);
        awaitUntil(() -> sender().recurring().list("", 10).stream()
                .allMatch(info -> info.next().orElseThrow().isAfter(end)));
        MESSAGES.forEach(message -> sender().recurring().pause(message.name(), new Operator("test", "the end")));
        awaitDrained();
        workers.forEach(RecurringWorker::close);

        assertThat(strings("SELECT mark FROM acidq_dead")).isEmpty();
        for (int i = 0; i < MESSAGES.size(); i++) {
            String name = MESSAGES.get(i).name();
            Schedule schedule = MESSAGES.get(i).schedule();
            List<String> expected = new ArrayList<>();
            Instant next = sender().recurring().next(name, 1).get(0);
            for (Instant tick = firsts.get(i);
                    tick.isBefore(next);
                    tick = schedule.next(tick).orElseThrow()) {
                expected.add(String.valueOf(tick.getEpochSecond()));
            }
            assertThat(expected).hasSizeGreaterThanOrEqualTo(3 * KILLS);
            if (name.equals("combined")) {
                assertThat(count("SELECT SUM(missed + 1) FROM acidq_tick WHERE name = 'combined'"))
                        .isEqualTo(expected.size());
                assertThat(rows("effect WHERE k = 'combined'"))
                        .isEqualTo(rows("acidq_tick WHERE name = 'combined'"))
                        .isLessThan(expected.size());
            } else {
                assertThat(strings("SELECT seq FROM effect WHERE k = '" + name + "' ORDER BY seq"))
                        .as(name + ": none lost, none doubled")
                        .isEqualTo(expected);
            }
        }
        assertThat(rows("acidq_tick WHERE done_at < tick_at")).as("early").isZero();
        assertThat(rows("effect WHERE k = 'cron'")).isGreaterThanOrEqualTo(KILLS * STEP.toMinutes());
    }

    private RecurringWorker worker() {
        return new RecurringWorker(pool);
    }
}
