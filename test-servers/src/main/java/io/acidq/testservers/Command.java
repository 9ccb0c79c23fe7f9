package io.acidq.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs a program to its end. */
final class Command {
    private Command() {}

    /** Runs a program with its output in {@code log}. A failure contains the end of the output. */
    static void run(Path log, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(
                        command.get(0) + " ended with " + process.exitValue() + ":\n" + lastLines(log, 15));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for " + command.get(0), e);
        }
    }

    static String lastLines(Path log, int count) throws IOException {
        List<String> lines = new String(Files.readAllBytes(log), UTF_8).lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }
}
