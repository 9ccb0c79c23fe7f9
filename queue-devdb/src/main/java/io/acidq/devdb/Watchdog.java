package io.acidq.devdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Stops a server after the end of this JVM. A shell process waits for the end of a pipe from this JVM, which the operating
 * system closes even after SIGKILL. The shell also deletes a temporary folder.
 *
 * <p>It replaces a shutdown hook. Hooks run concurrently, so a hook would stop the database while other hooks still use it.
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

    /** Starts a watchdog for the servers in this folder. Without a shell (Windows) it does nothing. */
    static Watchdog over(ServerFolder home) throws IOException {
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

    /** Stops watching, because the operating system can now reuse the process id. */
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
            // the shell was killed or already received "done"
            return;
        }
    }
}
