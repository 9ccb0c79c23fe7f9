package io.acidq.testservers;

import io.acidq.testservers.AptSources.Mirror;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packages of Debian, unpacked into a folder with all their libraries and run with their own loader. This works on any Linux with apt and a
 * Debian mirror, without installation.
 *
 * @param folder contains the packages in {@code root}
 */
record DebianRoot(Path folder) {
    static final String SUITE = "sid";

    private static final Logger LOG = LoggerFactory.getLogger(DebianRoot.class);

    /** Downloads and unpacks the newest packages with their dependencies. */
    static DebianRoot fetch(Path folder, String... packages) throws IOException {
        return fetchFrom(SUITE, folder, packages);
    }

    static DebianRoot fetchFrom(String suite, Path folder, String... packages) throws IOException {
        return fetchWithout(Set.of(), suite, folder, packages);
    }

    /**
     * Leaves out dependencies.
     *
     * @param excluded the beginnings of the names of packages that are not unpacked
     */
    static DebianRoot fetchWithout(Set<String> excluded, String suite, Path folder, String... packages)
            throws IOException {
        Path apt = folder.resolve("apt");
        DebianRoot root = new DebianRoot(folder);
        root.unpack(download(suite, apt, packages), excluded);
        Command.run(folder.resolve("unpack.log"), List.of("rm", "-rf", apt.toString()));
        return root;
    }

    /** Uses the first mirror that has the suite. */
    private static Path download(String suite, Path apt, String... packages) throws IOException {
        List<String> failures = new ArrayList<>();
        for (Mirror mirror : AptSources.mirrors(Path.of("/etc/apt"))) {
            LOG.info("Fetching {}, once on this machine, from {}", List.of(packages), mirror.uri());
            try {
                return new PrivateApt(apt).download(mirror.line(suite), packages);
            } catch (IOException e) {
                failures.add(e.getMessage());
            }
        }
        throw new IOException(
                failures.isEmpty()
                        ? "/etc/apt names no mirror of Debian (component main)"
                        : String.join("\n", failures));
    }

    private void unpack(Path packages, Set<String> excluded) throws IOException {
        Path root = Files.createDirectories(folder.resolve("root"));
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(packages, "*.deb")) {
            for (Path archive : archives) {
                String name = archive.getFileName().toString();
                if (excluded.stream().noneMatch(name::startsWith)) {
                    Command.run(
                            folder.resolve("unpack.log"), List.of("dpkg", "-x", archive.toString(), root.toString()));
                }
            }
        }
    }

    Path usr() {
        return folder.resolve("root/usr");
    }

    /** Returns the command for a program, such as {@code sbin/mysqld}. */
    List<String> program(String path) throws IOException {
        try (Stream<Path> found = Files.find(
                usr().resolve("lib"),
                2,
                (file, attributes) -> file.getFileName().toString().startsWith("ld-linux"))) {
            Path loader = found.findFirst().orElseThrow(() -> new IOException("no ld-linux under " + usr()));
            return List.of(
                    loader.toString(),
                    "--library-path",
                    String.valueOf(loader.getParent()),
                    usr().resolve(path).toString());
        }
    }

    /** Runs apt-get with a separate state: one source, no installed packages, no privileges. */
    private record PrivateApt(Path folder) {
        /** Downloads packages with all dependencies, including the C library, and returns their folder. */
        Path download(String source, String... packages) throws IOException {
            Path archives = folder.resolve("archives");
            Files.createDirectories(archives.resolve("partial"));
            Files.createDirectories(folder.resolve("lists/partial"));
            Files.writeString(folder.resolve("sources.list"), source + "\n");
            run(List.of("update"));
            List<String> install =
                    new ArrayList<>(List.of("install", "--download-only", "--yes", "--no-install-recommends"));
            install.addAll(List.of(packages));
            run(install);
            return archives;
        }

        private void run(List<String> arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of("apt-get", "-qq"));
            for (String option : List.of(
                    "Dir::Etc::SourceList=" + folder.resolve("sources.list"),
                    "Dir::Etc::SourceParts=/dev/null",
                    "Dir::State=" + folder,
                    "Dir::State::Lists=" + folder.resolve("lists"),
                    "Dir::State::status=/dev/null",
                    "Dir::Cache=" + folder,
                    "Dir::Cache::archives=" + archives(),
                    "Debug::NoLocking=1",
                    "APT::Sandbox::User=root",
                    "APT::Update::Error-Mode=any",
                    "Acquire::Retries=3",
                    "Acquire::Languages=none")) {
                command.addAll(List.of("-o", option));
            }
            command.addAll(arguments);
            Command.run(folder.resolve("apt.log"), command);
        }

        private Path archives() {
            return folder.resolve("archives");
        }
    }
}
