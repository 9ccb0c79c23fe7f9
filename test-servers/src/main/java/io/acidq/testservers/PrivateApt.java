package io.acidq.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** apt-get with state of its own: it knows one source, believes that nothing is installed, and needs no privilege. */
record PrivateApt(Path folder) {
    /** Downloads these and everything that they need, down to the C library; returns the folder of packages. */
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
