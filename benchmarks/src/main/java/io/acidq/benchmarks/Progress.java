package io.acidq.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows on standard error how far it is: a bar on a terminal, else a plain line for each run. */
final class Progress implements BenchmarkRunner.ProgressListener, AutoCloseable {

    private static final long BETWEEN_NOTES = Duration.ofMillis(300).toNanos();

    private final PrintStream out = System.err;
    private final int total;
    private final @Nullable ProgressBar bar;
    private int done;
    private String run = "";
    private long lastNote = System.nanoTime();

    Progress(int total) {
        this.total = total;
        this.bar = isTerminal() ? bar(total, out) : null;
    }

    @Override
    public synchronized void begin(String what) {
        run = what;
        if (bar == null) {
            out.println("run " + (done + 1) + " of " + total + ": " + what);
        } else {
            bar.setExtraMessage(what);
        }
    }

    @Override
    public synchronized void at(long messages, long of) {
        if (bar != null && System.nanoTime() - lastNote > BETWEEN_NOTES) {
            lastNote = System.nanoTime();
            bar.setExtraMessage(run + " " + messages + "/" + of);
        }
    }

    @Override
    public synchronized void end() {
        done++;
        if (bar != null) {
            bar.stepTo(done);
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

    /** Asks the system, because Java knows of standard error at best what it knows of standard output. */
    private static boolean isTerminal() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
        } catch (IOException e) { // a system without that program: lines do on any
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
