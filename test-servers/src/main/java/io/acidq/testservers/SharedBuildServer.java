package io.acidq.testservers;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the server that all test JVMs of a build share, or starts it in a keeper process. */
final class SharedBuildServer {
    private static final Logger LOG = LoggerFactory.getLogger(SharedBuildServer.class);

    /** Long, because the first start on a machine downloads the server. */
    private static final Duration TIMEOUT = Duration.ofMinutes(20);

    /** Enough for all servers of a build, and as much again for other programs. */
    private static final long MIN_MEMORY = 8L << 30;

    private SharedBuildServer() {}

    static TestServer of(ProcessIdentity build, ServerKind kind, int number) {
        KeeperFolder folder = KeeperFolder.of(build, kind, number);
        try {
            Files.createDirectories(folder.path());
            try (FileChannel lock = FileChannel.open(folder.lock(), CREATE, WRITE)) {
                lock.lock();
                Optional<TestServer> found = folder.server(kind);
                return found.isPresent() ? found.get() : start(build, kind, folder);
            }
        } catch (IOException e) {
            throw new TestServerException("Cannot use the folder " + folder.path() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while waiting for " + kind.displayName(), e);
        }
    }

    private static TestServer start(ProcessIdentity build, ServerKind kind, KeeperFolder folder)
            throws IOException, InterruptedException {
        fail(folder);
        LOG.info("Starting {} for this build; the log is {}", kind.displayName(), folder.log());
        long start = System.nanoTime();
        Process keeper = keeper(build, kind, folder);
        while (System.nanoTime() - start < TIMEOUT.toNanos()) {
            boolean ended = keeper.waitFor(20, TimeUnit.MILLISECONDS);
            Optional<TestServer> server = folder.server(kind);
            if (server.isPresent()) {
                LOG.info("{} after {} ms", server.get().jdbcUrl(""), (System.nanoTime() - start) / 1_000_000);
                return server.get();
            }
            fail(folder);
            if (ended) {
                throw new TestServerException("The keeper of " + kind.displayName() + " ended with "
                        + keeper.exitValue() + ". Its log:\n" + Command.lastLines(folder.log(), 30));
            }
        }
        keeper.destroy();
        throw new TestServerException(kind.displayName() + " did not start within " + TIMEOUT.toMinutes()
                + " minutes. The log:\n" + Command.lastLines(folder.log(), 30));
    }

    private static void fail(KeeperFolder folder) throws IOException {
        Optional<String> failure = folder.failure();
        if (failure.isPresent()) {
            throw new TestServerException(failure.get());
        }
    }

    private static Process keeper(ProcessIdentity build, ServerKind kind, KeeperFolder folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        command.add("-Djava.io.tmpdir=" + folderOfData());
        for (String name : List.of("user.home", "ACIDQ_CACHE")) {
            String value = System.getProperty(name);
            if (value != null) {
                command.add("-D" + name + "=" + value);
            }
        }
        command.addAll(List.of(
                ServerKeeper.class.getName(),
                kind.name(),
                build.toString(),
                folder.path().toString()));
        // to a file: with pipes of this JVM, surefire would wait for the end of the keeper
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.log().toFile());
        builder.environment().put("CLASSPATH", classPath());
        Process keeper = builder.start();
        keeper.getOutputStream().close();
        return keeper;
    }

    /**
     * Data of servers lies in memory if there is enough of it. Tests spend much of their time on the fsync of each commit, and no test depends on it:
     * data that a killed process has written stays there too.
     */
    private static Path folderOfData() {
        Path memory = Path.of("/dev/shm");
        try {
            if (Files.isWritable(memory) && Files.getFileStore(memory).getUsableSpace() > MIN_MEMORY) {
                return memory;
            }
        } catch (IOException e) {
            LOG.debug("{} does not report its free space", memory, e);
        }
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Surefire starts JVMs with a jar that only lists the class path, and sets this property to the real class path. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
