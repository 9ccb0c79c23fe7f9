package io.acidq.testservers;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder through which the keeper of a build's server and the test JVMs exchange files. */
record KeeperFolder(Path path) {

    /** Returns the folder for the server of this kind and number in a build. */
    static KeeperFolder of(ProcessIdentity build, ServerKind kind, int number) {
        return new KeeperFolder(Path.of(
                System.getProperty("java.io.tmpdir"),
                "acidq-build-" + build + "-" + kind.name().toLowerCase(Locale.ROOT) + "-" + number));
    }

    Path lock() {
        return path.resolve("lock");
    }

    Path log() {
        return path.resolve("keeper.log");
    }

    void announce(TestServer server, ProcessIdentity keeper) throws IOException {
        write("server", List.of(keeper.toString(), server.urlTemplate(), server.username(), server.password()));
    }

    void announceFailure(String message) throws IOException {
        write("failure", List.of(message));
    }

    /** Returns the announced server, if its keeper still runs. */
    Optional<TestServer> server(ServerKind kind) throws IOException {
        Path file = path.resolve("server");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        return ProcessIdentity.parse(lines.get(0)).isAlive()
                ? Optional.of(new TestServer(kind, lines.get(1), lines.get(2), lines.get(3)))
                : Optional.empty();
    }

    Optional<String> failure() throws IOException {
        Path file = path.resolve("failure");
        return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    }

    void delete() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(path);
    }

    /** Writes the file atomically, so that no reader sees a part of it. */
    private void write(String name, List<String> lines) throws IOException {
        Path unfinished = path.resolve(name + ".new");
        Files.write(unfinished, lines);
        Files.move(unfinished, path.resolve(name), ATOMIC_MOVE, REPLACE_EXISTING);
    }
}
