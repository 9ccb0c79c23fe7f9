package io.acidq.examples.orders;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Processes that ship, each replaced as soon as it ends. Ends them before the database ends. Thread-safe. */
@Component
class WorkerProcesses implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 40;

    private final WorkerCommand command;
    private final Set<Process> alive = new HashSet<>();
    private int replaced;
    private boolean closing;

    WorkerProcesses(WorkerCommand command) {
        this.command = command;
    }

    /** Keeps so many more of them running. */
    void start(int count) {
        for (int i = 1; i <= count; i++) {
            Thread keeper = new Thread(this::keepOne, "worker-process-" + i);
            keeper.setDaemon(true);
            keeper.start();
        }
    }

    /** What to show of them. */
    synchronized String note() {
        return replaced == 0 ? "" : ", processes replaced " + replaced;
    }

    private void keepOne() {
        try {
            for (Process process = launch(); process != null; process = launch()) {
                process.waitFor();
                ended(process);
            }
        } catch (IOException e) {
            Progress.print("cannot start a worker process: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized @Nullable Process launch() throws IOException {
        if (closing) {
            return null;
        }
        Process process = command.build().start();
        alive.add(process);
        return process;
    }

    private synchronized void ended(Process process) {
        alive.remove(process);
        if (!closing) {
            replaced++;
        }
    }

    /** Tells them to stop and waits until they have; what they are shipping is finished. */
    @Override
    public void close() {
        List<Process> last;
        synchronized (this) {
            closing = true;
            last = new ArrayList<>(alive);
        }
        last.forEach(Process::destroy);
        for (Process process : last) {
            try {
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
