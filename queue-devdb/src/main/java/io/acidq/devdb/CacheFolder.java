package io.acidq.devdb;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The user's folder for what is unpacked or downloaded once and used by every later start. Entries appear complete or
 * not at all, and once, even if several JVMs want them at the same time. Safe for concurrent use.
 *
 * <p>The place is the system property or environment variable {@code ACIDQ_CACHE}, otherwise {@code acidq} in the
 * platform's cache folder ({@code ~/.cache} on Linux). It may be deleted whenever no server of it is running.
 */
public final class CacheFolder {
    /** A file lock excludes other JVMs, not other threads of this one. */
    private static final Object THREADS = new Object();

    private final Path root;

    CacheFolder(Path root) {
        this.root = root;
    }

    public static CacheFolder ofUser() {
        String wanted = setting("ACIDQ_CACHE");
        return new CacheFolder(
                wanted == null
                        ? platformFolder().resolve("acidq")
                        : Path.of(wanted).toAbsolutePath());
    }

    /** What makes an entry, in the empty folder that it is given. */
    @FunctionalInterface
    public interface Filling {
        void fill(Path empty) throws IOException;
    }

    /** The entry of this name, made by {@code filling} if it is not there yet; others who want it wait meanwhile. */
    public Path provide(String name, Filling filling) {
        Path entry = root.resolve(name);
        if (Files.isDirectory(entry)) {
            return entry;
        }
        synchronized (THREADS) {
            try {
                Files.createDirectories(root);
                try (FileChannel file = FileChannel.open(root.resolve(name + ".lock"), CREATE, WRITE)) {
                    file.lock();
                    if (!Files.isDirectory(entry)) {
                        make(entry, filling);
                    }
                }
            } catch (IOException e) {
                throw new DevDatabaseException(
                        "Could not prepare " + entry + " (" + e
                                + "). It needs about 1 GB of space in a folder that this"
                                + " user may write; name another one with ACIDQ_CACHE.",
                        e);
            }
        }
        return entry;
    }

    private void make(Path entry, Filling filling) throws IOException {
        String unfinished = entry.getFileName() + ".new";
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(root, unfinished + "*")) {
            for (Path leftover : leftovers) {
                FolderTree.delete(leftover);
            }
        }
        Path made = Files.createTempDirectory(root, unfinished);
        try {
            filling.fill(made);
            Files.move(made, entry, ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            FolderTree.delete(made);
            throw e;
        }
    }

    private static Path platformFolder() {
        Path home = Path.of(System.getProperty("user.home"));
        String os = System.getProperty("os.name");
        if (os.startsWith("Windows")) {
            String local = System.getenv("LOCALAPPDATA");
            return local == null ? home.resolve("AppData").resolve("Local") : Path.of(local);
        }
        if (os.startsWith("Mac")) {
            return home.resolve("Library").resolve("Caches");
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        return xdg == null || xdg.isEmpty() ? home.resolve(".cache") : Path.of(xdg);
    }

    private static @Nullable String setting(String name) {
        String property = System.getProperty(name);
        String value = property == null ? System.getenv(name) : property;
        return value == null || value.isBlank() ? null : value;
    }
}
