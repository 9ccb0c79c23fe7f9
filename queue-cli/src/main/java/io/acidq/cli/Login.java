package io.acidq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the database is, and as whom. The password is never shown. */
final class Login {

    @Option(
            names = "--url",
            paramLabel = "JDBC_URL",
            defaultValue = "${env:ACIDQ_URL}",
            description =
                    "jdbc:mysql://host:port/database or jdbc:mariadb://…, with the driver's options. Default: ACIDQ_URL.")
    @Nullable
    String url;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "${env:ACIDQ_USER}",
            description = "The account, for which an operator's privileges suffice. Default: ACIDQ_USER.")
    @Nullable
    String user;

    @Option(
            names = "--password",
            paramLabel = "PASSWORD",
            arity = "0..1",
            interactive = true,
            prompt = "Password: ",
            description =
                    "The password; @FILE for the first line of a file; without a value it is asked for. Default: ACIDQ_PASSWORD.")
    char @Nullable [] password;

    @Option(names = "--json", description = "Writes JSON, errors too.")
    boolean json;

    @Option(names = "--verbose", description = "Shows the log, and the stack trace of an error.")
    boolean verbose;

    DirectDataSource dataSource() {
        String given = url;
        if (given == null || given.isBlank()) {
            throw new RefusedException(ExitCode.USAGE, "no database is named: give --url or ACIDQ_URL");
        }
        if (!given.startsWith("jdbc:mysql:") && !given.startsWith("jdbc:mariadb:")) {
            throw new RefusedException(
                    ExitCode.USAGE,
                    "that is no JDBC URL of MySQL or MariaDB: it begins with jdbc:mysql:// or jdbc:mariadb://");
        }
        return new DirectDataSource(given, user, secret(System.getenv()));
    }

    private @Nullable String secret(Map<String, String> environment) {
        String given = password == null ? environment.get("ACIDQ_PASSWORD") : new String(password);
        if (password == null || given == null || !given.startsWith("@")) {
            return given;
        }
        Path file = Path.of(given.substring(1));
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? "" : lines.get(0);
        } catch (IOException e) {
            throw new RefusedException(ExitCode.USAGE, "the file with the password can not be read: " + file);
        }
    }
}
