package io.acidq.chaos.fault;

import java.io.IOException;

/** A process that stands still until this is closed, or this JVM is gone: a shell waits for either. Not for concurrent use. */
final class FrozenProcess implements AutoCloseable {

    private static final String SCRIPT = "kill -STOP \"$0\" && echo frozen && read -r end; kill -CONT \"$0\"";

    private final Process shell;
    private final boolean isFrozen;

    private FrozenProcess(Process shell) throws IOException {
        this.shell = shell;
        this.isFrozen = shell.getInputStream().read() >= 0;
    }

    static FrozenProcess on(Process victim) throws IOException {
        return new FrozenProcess(new ProcessBuilder("sh", "-c", SCRIPT, String.valueOf(victim.pid())).start());
    }

    /** Not when it had ended before. */
    boolean isFrozen() {
        return isFrozen;
    }

    @Override
    public void close() throws IOException {
        shell.getOutputStream().close();
        boolean interrupted = false;
        while (shell.isAlive()) {
            try {
                shell.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
