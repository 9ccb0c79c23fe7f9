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
 * The user's folder for files that are unpacked or downloaded once and reused by later starts. An entry is created only once
 * and is visible only when it is complete, also if several JVMs request it at the same time. Safe for concurrent use.
 *
 * <p>The system property or environment variable {@code ACIDQ_CACHE} sets the folder. The default is {@code acidq} in the
 * platform's cache folder ({@code ~/.cache} on Linux). The folder can be deleted while no server runs from it.
 */
public final class CacheFolder {
    /** Excludes other threads of this JVM; the file lock excludes only other JVMs. */
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

    /** Creates the content of an entry in an empty folder. */
    @FunctionalInterface
    public interface Filling {
        void fill(Path empty) throws IOException;
    }

    /**
     * Returns the folder of this entry. If it does not exist, {@code filling} creates it; other callers wait meanwhile.
     *
     * @throws DevDatabaseException if the entry cannot be created
     */
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
                        "could not prepare " + entry + " (" + e
                                + "). It needs about 1 GB in a folder that this"
                                + " user can write to; set another folder with ACIDQ_CACHE",
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
