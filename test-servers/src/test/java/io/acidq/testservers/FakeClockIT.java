package io.acidq.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeClockIT {
    private static final Duration WAIT = Duration.ofMillis(200);

    @TempDir
    private Path folder;

    /** Takes five seconds: each question waits twice for 200 ms, and there are a dozen of them. */
    @Test
    void movesTheWallClockOfAJvmThatRunsAndLeavesWhatItWaitsForAlone() throws IOException {
        try (FakeClock clock = FakeClock.keptIn(folder.resolve("clock"));
                ClockProcess clockProcess = ClockProcess.start(clock)) {
            assertThat(clockProcess.ask().offBy()).isLessThan(Duration.ofMinutes(1));
            for (Duration shift : new Duration[] {Duration.ofDays(1), Duration.ofDays(-1), Duration.ZERO}) {
                ClockReading before = clockProcess.ask();
                clock.move(shift);
                await().atMost(Duration.ofSeconds(30))
                        .until(() ->
                                clockProcess.ask().offBy().minus(shift).abs().compareTo(Duration.ofMinutes(1)) < 0);
                ClockReading after = clockProcess.ask();
                assertThat(Duration.ofNanos(after.nanoTime - before.nanoTime))
                        .isBetween(WAIT.multipliedBy(4), Duration.ofMinutes(1));
                assertThat(after.waited()).isGreaterThanOrEqualTo(WAIT.multipliedBy(2));
                assertThat(after.ticks).as("of a scheduled executor").isGreaterThan(before.ticks);
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void leavesNothingOfAProcessThatWasKilled() throws Exception {
        long pid;
        try (FakeClock clock = FakeClock.keptIn(folder.resolve("clock"));
                ClockProcess clockProcess = ClockProcess.start(clock)) {
            clockProcess.ask();
            pid = clockProcess.process.pid();
            clockProcess.process.destroyForcibly().waitFor();
        }
        try (var left = Files.list(Path.of("/dev/shm"))) {
            assertThat(left).noneMatch(file -> file.toString().endsWith("_" + pid));
        }
    }

    /** The observations of a process: wall clock, monotonic clock, duration of a park and of a sleep, number of runs of its executor. */
    private record ClockReading(Instant wall, long nanoTime, long parked, long slept, int ticks) {
        Duration offBy() {
            return Duration.between(Instant.now(), wall);
        }

        Duration waited() {
            return Duration.ofNanos(parked + slept);
        }
    }

    /** A JVM that prints its observations on request. */
    private record ClockProcess(Process process, BufferedReader lines) implements AutoCloseable {
        static ClockProcess start(FakeClock clock) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FakeClockIT.class.getName());
            builder.environment().putAll(clock.environment());
            Process process = builder.start();
            return new ClockProcess(process, process.inputReader(UTF_8));
        }

        ClockReading ask() throws IOException {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
            String[] words = String.valueOf(lines.readLine()).split(" ", -1);
            return new ClockReading(
                    Instant.parse(words[0]),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Integer.parseInt(words[4]));
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }

    /** The process itself. */
    public static void main(String[] args) throws Exception {
        AtomicInteger ticks = new AtomicInteger();
        ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
        executor.scheduleAtFixedRate(ticks::incrementAndGet, 1, WAIT.toMillis(), MILLISECONDS);
        for (int in = System.in.read(); in >= 0; in = System.in.read()) {
            long began = System.nanoTime();
            LockSupport.parkNanos(WAIT.toNanos());
            long parked = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(WAIT.toNanos());
            long slept = System.nanoTime();
            System.out.println(
                    Instant.now() + " " + slept + " " + (parked - began) + " " + (slept - parked) + " " + ticks);
        }
        executor.shutdownNow();
    }
}
