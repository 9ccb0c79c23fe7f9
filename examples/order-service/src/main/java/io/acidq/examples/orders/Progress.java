package io.acidq.examples.orders;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows on standard error how far the job is: a bar on a terminal, else a plain line now and then. Not thread-safe. */
final class Progress implements AutoCloseable {

    private static final long BETWEEN_LINES = Duration.ofSeconds(2).toNanos();

    private final PrintStream out = System.err;
    private final String task;
    private final long total;
    private final @Nullable ProgressBar bar;
    private long lastLine = System.nanoTime();

    Progress(String task, long total) {
        this.task = task;
        this.total = total;
        this.bar = isTerminal() ? bar(task, total, out) : null;
    }

    /** Prints a message for people. */
    static void print(String message) {
        System.err.println("order-service: " + message);
    }

    void at(long done, String note) {
        if (bar != null) {
            bar.stepTo(done).setExtraMessage(note);
        } else if (System.nanoTime() - lastLine > BETWEEN_LINES) {
            lastLine = System.nanoTime();
            out.println(task + " " + done + " of " + total + " " + note);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    private static ProgressBar bar(String task, long total, PrintStream out) {
        return ProgressBar.builder()
                .setTaskName(task)
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .setConsumer(new ConsoleProgressBarConsumer(out))
                .build();
    }

    /** Runs {@code test -t 2}, because Java has no method that tells whether standard error is a terminal. */
    private static boolean isTerminal() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
        } catch (IOException e) { // the system has no such program
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
