package io.acidq.devdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Ends a server when this JVM is gone, in whatever way it went: a shell beside the server that waits for the end of a
 * pipe from this JVM, which the operating system closes even after SIGKILL. A temporary folder is deleted with it.
 *
 * <p>It also stands in for a shutdown hook: hooks run side by side, so ours would take the database away from those
 * that still finish work on it.
 */
final class Watchdog implements AutoCloseable {
    private static final Path SHELL = Path.of("/bin/sh");

    private static final String SCRIPT = """
            trap '' HUP INT TERM
            server=none folder=$1
            while read -r word; do
              [ "$word" = done ] && exit 0
              server=$word
            done
            alive() { [ "$server" != none ] && kill -0 "$server" 2>/dev/null; }
            if [ -n "$folder" ]; then alive && kill -s KILL "$server"; else alive && kill -s TERM "$server"; fi
            n=0
            while alive && [ "$n" -lt 300 ]; do sleep 0.1 2>/dev/null || sleep 1; n=$((n+1)); done
            alive && kill -s KILL "$server"
            [ -n "$folder" ] && rm -rf -- "$folder"
            """;

    private final @Nullable Process shell;
    private long watched;

    private Watchdog(@Nullable Process shell) {
        this.shell = shell;
    }

    /** Over the servers that run in this home; where there is no shell (Windows), one that does nothing. */
    static Watchdog over(ServerHome home) throws IOException {
        if (!Files.isExecutable(SHELL)) {
            return new Watchdog(null);
        }
        String folder = home.temporary() ? home.path().toString() : "";
        return new Watchdog(new ProcessBuilder(SHELL.toString(), "-c", SCRIPT, "acidq-watchdog", folder)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start());
    }

    boolean present() {
        return shell != null;
    }

    synchronized void watch(ServerProcess server) {
        watched = server.pid();
        send(Long.toString(watched));
        var unused = server.onExit().thenRun(() -> forget(server));
    }

    /** The pid may be given to another process from now on. */
    private synchronized void forget(ServerProcess server) {
        if (watched == server.pid()) {
            send("none");
        }
    }

    @Override
    public synchronized void close() {
        watched = 0;
        send("done");
    }

    private void send(String word) {
        if (shell == null) {
            return;
        }
        try {
            shell.getOutputStream().write((word + "\n").getBytes(US_ASCII));
            shell.getOutputStream().flush();
        } catch (IOException e) {
            // The shell has been killed or told "done": nobody to tell.
            return;
        }
    }
}
