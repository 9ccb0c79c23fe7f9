package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process that holds one server for a whole build, because the test JVM that needs it first ends with its module.
 * It stops the server when the build is gone; when the keeper is killed, the server goes with it.
 */
final class ServerKeeper {
    private ServerKeeper() {}

    /** Arguments: the kind of server, the process of the build, the folder to announce the server in. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ProcessIdentity build = ProcessIdentity.parse(args[1]);
        KeeperFolder folder = new KeeperFolder(Path.of(args[2]));
        RunningServer running = start(ServerKind.valueOf(args[0]), folder);
        while (build.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(500);
        }
        if (running != null) {
            running.close();
        }
        folder.delete();
        System.exit(0); // Testcontainers has threads that would go on
    }

    /** After a failure the keeper stays too: the rest of the build fails at once instead of trying again. */
    private static @Nullable RunningServer start(ServerKind kind, KeeperFolder folder) throws IOException {
        try {
            RunningServer running = ServerSource.start(kind, List.of());
            folder.announce(running.server(), ProcessIdentity.of(ProcessHandle.current()));
            return running;
        } catch (RuntimeException e) {
            e.printStackTrace();
            folder.announceFailure(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
