package io.acidq.devdb;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one server: its data, temporary files and log.
 *
 * @param temporary whether the folder is deleted with the server
 */
record ServerFolder(Path path, boolean temporary) {
    /** Returns the given folder, or a new temporary folder. */
    static ServerFolder in(@Nullable Path folder) throws IOException {
        if (folder == null) {
            return new ServerFolder(Files.createTempDirectory("acidq-db-").toRealPath(), true);
        }
        Files.createDirectories(folder);
        return new ServerFolder(folder.toRealPath(), false);
    }

    Path data() {
        return path.resolve("data");
    }

    Path log() {
        return path.resolve("server.log");
    }

    Path scratch() {
        return path.resolve("tmp");
    }

    Path initFile() {
        return path.resolve("init.sql");
    }

    /** Copies the template unless there is data. An interrupted copy does not count as data. */
    void prepare(ServerRecipe recipe) throws IOException {
        Files.createDirectories(scratch());
        Files.write(initFile(), recipe.initSql());
        if (!Files.isDirectory(data())) {
            Path half = path.resolve("data.new");
            FolderTree.delete(half);
            FolderTree.copy(recipe.template(), half);
            Files.move(half, data(), ATOMIC_MOVE);
        }
    }

    /** Whether new files belong to root, that is, whether this process runs as root. Servers refuse that without an option. */
    boolean belongsToRoot() throws IOException {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return false;
        }
        Path probe = Files.createTempFile(scratch(), "owner", null);
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(probe, "unix:uid"));
        } finally {
            Files.delete(probe);
        }
    }

    void deleteIfTemporary() {
        if (!temporary) {
            return;
        }
        try {
            FolderTree.delete(path);
        } catch (IOException e) {
            throw new DevDatabaseException("cannot delete " + path + ": delete it by hand", e);
        }
    }
}
