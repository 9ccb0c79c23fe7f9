package io.acidq.devdb;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one server: its data, temporary files and log.
 *
 * @param temporary whether the folder goes when the server goes
 */
record ServerHome(Path path, boolean temporary) {
    /** The given folder, or a temporary one. */
    static ServerHome in(@Nullable Path folder) throws IOException {
        if (folder == null) {
            return new ServerHome(Files.createTempDirectory("acidq-db-").toRealPath(), true);
        }
        Files.createDirectories(folder);
        return new ServerHome(folder.toRealPath(), false);
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

    /** Copies the template unless there is data already; a copy cut short is not taken for data later. */
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

    /** Whether files made here now are root's, that is, whether we run as root; the servers refuse that unless told. */
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
            throw new DevDatabaseException("Could not delete " + path + ". Delete it by hand.", e);
        }
    }
}
