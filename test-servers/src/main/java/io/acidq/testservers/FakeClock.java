package io.acidq.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.acidq.devdb.CacheFolder;
import io.acidq.devdb.DevDatabaseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An adjustable wall clock for processes that are started with its {@link #environment}. It uses libfaketime from Debian's packages, without
 * installation. Linux only. The monotonic clock of the processes does not change. Thread-safe.
 */
public final class FakeClock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FakeClock.class);

    /** An older release, because programs of this machine load the library, and their C library must not be older than it requires. */
    private static final String SUITE = "bookworm";

    /** The folder in which the library keeps files of each process, also after a kill. */
    private static final Path SHARED = Path.of("/dev/shm");

    private static final Pattern OF_A_PROCESS = Pattern.compile("(sem\\.)?faketime_(sem|shm)_(?<pid>\\d{1,18})");

    private static final Duration FOR_TRIAL = Duration.ofDays(1);

    private final Path library;
    private final Path file;

    private FakeClock(Path library, Path file) {
        this.library = library;
        this.file = file;
        move(Duration.ZERO);
    }

    /**
     * Creates a clock that shows the true time. The first clock on a machine downloads the library.
     *
     * @param file the file that contains the offset
     * @throws TestServerException if the library does not work on this machine; the message names the next step
     */
    public static FakeClock keptIn(Path file) {
        return new FakeClock(Library.get(), file.toAbsolutePath());
    }

    /** Whether the library works on this machine; if not, the log contains the reason. */
    public static boolean isAtHand() {
        try {
            return Files.exists(Library.get());
        } catch (TestServerException e) {
            LOG.info("No clock that can be moved: {}", e.getMessage());
            return false;
        }
    }

    /** Returns the environment variables of a process that uses this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "0", // once a second, not at every read of the clock
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // The default for this C library ends every monotonic wait at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "NO_FAKE_STAT", "1");
    }

    /** Sets the offset from the true time, positive or negative. Processes see it within a second. */
    public void move(Duration shift) {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(unfinished, String.format(Locale.ROOT, "%+d%n", shift.toSeconds()));
            Files.move(unfinished, file, ATOMIC_MOVE, REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("clock in " + file, e);
        }
    }

    /** Removes the file, and files of killed processes. Call it after the end of all processes. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            try (DirectoryStream<Path> left = Files.newDirectoryStream(SHARED)) {
                for (Path each : left) {
                    Matcher name = OF_A_PROCESS.matcher(each.getFileName().toString());
                    if (name.matches()
                            && ProcessHandle.of(Long.parseLong(name.group("pid")))
                                    .isEmpty()) {
                        Files.deleteIfExists(each);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("clock in " + file, e);
        }
    }

    /** The library, downloaded and tried once. */
    private static final class Library {
        private static @Nullable Path tried;

        private Library() {}

        static synchronized Path get() {
            Path found = tried == null ? find() : tried;
            tried = found;
            return found;
        }

        private static Path find() {
            try {
                if (!System.getProperty("os.name").equals("Linux")) {
                    throw new IOException("this is " + System.getProperty("os.name"));
                }
                Path folder = CacheFolder.ofUser().provide("faketime-debian-" + SUITE, Library::fetch);
                Path library = in(folder);
                attempt(library);
                return library;
            } catch (IOException | DevDatabaseException e) {
                throw new TestServerException(
                        "No libfaketime for tests that move a clock: " + e.getMessage()
                                + "\nThey run on Linux with glibc, and need apt-get and dpkg and a mirror of Debian in"
                                + " /etc/apt/sources.list.",
                        e);
            }
        }

        private static void fetch(Path folder) throws IOException {
            DebianRoot.fetchFrom(SUITE, folder, "libfaketime");
        }

        private static Path in(Path folder) throws IOException {
            try (Stream<Path> found = Files.find(
                    folder.resolve("root/usr/lib"), 3, (file, attributes) -> file.endsWith("libfaketimeMT.so.1"))) {
                return found.findFirst()
                        .orElseThrow(() ->
                                new IOException(folder + " is damaged. Delete it; the next start downloads it again."));
            }
        }

        /** A loader that cannot load the library only prints an error, and continues with the true clock. */
        private static void attempt(Path library) throws IOException {
            Path folder = Files.createTempDirectory("acidq-clock-");
            try (FakeClock clock = new FakeClock(library, folder.resolve("clock"))) {
                clock.move(FOR_TRIAL);
                ProcessBuilder builder = new ProcessBuilder("date", "+%s").redirectErrorStream(true);
                builder.environment().putAll(clock.environment());
                Process date = builder.start();
                String said = new String(date.getInputStream().readAllBytes(), UTF_8).strip();
                long before = System.currentTimeMillis() / 1000 + FOR_TRIAL.toSeconds() / 2;
                if (!said.matches("\\d+") || Long.parseLong(said) < before) {
                    throw new IOException(library + " does not move the clock of date, which said: " + said);
                }
            } finally {
                Files.delete(folder);
            }
        }
    }
}
