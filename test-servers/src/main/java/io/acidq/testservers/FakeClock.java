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
 * The wall clock of the processes that are started with its {@link #environment}, to be moved while they run: libfaketime from Debian's
 * packages, for which nothing gets installed. Linux only. What they wait for and measure by the monotonic clock stays true. Thread-safe.
 */
public final class FakeClock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FakeClock.class);

    /** Not the newest: the library is loaded into programs of this machine, whose C library must not be older than it wants. */
    private static final String SUITE = "bookworm";

    /** Where the library keeps something for each process, also for one that was killed. */
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
     * A clock that is true until it is moved. The first one on a machine downloads.
     *
     * @param file says what it shows
     * @throws TestServerException when there is none for this machine, with what to do
     */
    public static FakeClock keptIn(Path file) {
        return new FakeClock(Library.get(), file.toAbsolutePath());
    }

    /** Whether this machine has one; if not, the log says why. */
    public static boolean isAtHand() {
        try {
            return Files.exists(Library.get());
        } catch (TestServerException e) {
            LOG.info("No clock that can be moved: {}", e.getMessage());
            return false;
        }
    }

    /** For each process that is to live by it. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "0", // once in a second: not at every look at the clock
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // What it does by default for this C library ends every monotonic wait at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "NO_FAKE_STAT", "1");
    }

    /** From now on it shows the true time and so much more, or less. Its processes notice within a second. */
    public void move(Duration shift) {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(unfinished, String.format(Locale.ROOT, "%+d%n", shift.toSeconds()));
            Files.move(unfinished, file, ATOMIC_MOVE, REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("clock in " + file, e);
        }
    }

    /** After the end of its processes: removes the file and what processes that were killed have left behind. */
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

    /** Fetched and tried once. */
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
                        .orElseThrow(() -> new IOException(folder + " is damaged. Delete it; it is fetched anew."));
            }
        }

        /** A loader that can not load it only says so, and goes on by the true clock. */
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
