package io.acidq.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows progress on standard error: a bar on a terminal, or a line for each run. */
final class Progress implements BenchmarkRunner.ProgressListener, AutoCloseable {

    private static final long UPDATE_INTERVAL = Duration.ofMillis(300).toNanos();

    private final PrintStream out = System.err;
    private final int total;
    private final @Nullable ProgressBar bar;
    private int runsDone;
    private String run = "";
    private long lastUpdate = System.nanoTime();

    Progress(int total) {
        this.total = total;
        this.bar = isTerminal() ? bar(total, out) : null;
    }

    @Override
    public synchronized void begin(String name) {
        run = name;
        if (bar == null) {
            out.println("run " + (runsDone + 1) + " of " + total + ": " + name);
        } else {
            bar.setExtraMessage(name);
        }
    }

    @Override
    public synchronized void at(long done, long totalMessages) {
        if (bar != null && System.nanoTime() - lastUpdate > UPDATE_INTERVAL) {
            lastUpdate = System.nanoTime();
            bar.setExtraMessage(run + " " + done + "/" + totalMessages);
        }
    }

    @Override
    public synchronized void end() {
        runsDone++;
        if (bar != null) {
            bar.stepTo(runsDone);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    private static ProgressBar bar(int total, PrintStream out) {
        return ProgressBar.builder()
                .setTaskName("benchmarks")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(500)
                .setConsumer(new ConsoleProgressBarConsumer(out))
                .build();
    }

    /** Asks the system, because Java can detect a terminal on standard output only. */
    private static boolean isTerminal() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
        } catch (IOException e) { // a system without this program
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
