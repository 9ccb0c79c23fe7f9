package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process that runs one server for a whole build, because the test JVM that first needs the server ends with its module.
 * It stops the server after the end of the build. If the keeper is killed, the server ends too.
 */
final class ServerKeeper {
    private ServerKeeper() {}

    /** Arguments: the kind of server, the process of the build, the folder in which it announces the server. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ProcessIdentity build = ProcessIdentity.parse(args[1]);
        KeeperFolder folder = new KeeperFolder(Path.of(args[2]));
        PrivateServer running = start(ServerKind.valueOf(args[0]), folder);
        while (build.isAlive()) {
            TimeUnit.MILLISECONDS.sleep(500);
        }
        if (running != null) {
            running.close();
        }
        folder.delete();
        System.exit(0); // threads of Testcontainers would keep the JVM running
    }

    /** The keeper also stays after a failure, so that the rest of the build fails at once instead of trying again. */
    private static @Nullable PrivateServer start(ServerKind kind, KeeperFolder folder) throws IOException {
        try {
            PrivateServer running = ServerSource.start(kind, List.of());
            folder.announce(running.server(), ProcessIdentity.of(ProcessHandle.current()));
            return running;
        } catch (RuntimeException e) {
            e.printStackTrace(); // to the log of the keeper
            folder.announceFailure(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
