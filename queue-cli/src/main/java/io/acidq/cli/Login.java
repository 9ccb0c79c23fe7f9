package io.acidq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the database is, and as whom. The password is never shown. */
final class Login {

    /** What no command line can hold. */
    private static final String ASK = "\0";

    private static final Pattern DATABASE = Pattern.compile("jdbc:\\w+:[^/]*//[^/?]*/([^?]+).*");
    private static final int UNKNOWN_DATABASE = 1049;

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
            fallbackValue = ASK,
            description =
                    "The password; @FILE for the first line of a file; without a value it is asked for. Default: ACIDQ_PASSWORD.")
    @Nullable
    String password;

    @Option(names = "--json", description = "Writes JSON, errors too.")
    boolean json;

    @Option(names = "--verbose", description = "Shows the log, and the stack trace of an error.")
    boolean verbose;

    /** The database, which has been reached. */
    DirectDataSource dataSource() {
        DirectDataSource server = server();
        try (Connection connection = server.getConnection()) {
            String database = connection.getCatalog();
            if (database == null || database.isEmpty()) {
                throw new RefusedException(
                        ExitCode.UNREACHABLE,
                        "the URL names no database: write one behind the port, as in jdbc:mysql://host:port/database");
            }
        } catch (SQLException e) {
            throw new RefusedException(ExitCode.UNREACHABLE, unreached(e), e);
        }
        return server;
    }

    /** The server, of which nothing is known, with or without a database. */
    DirectDataSource server() {
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

    private String unreached(SQLException e) {
        if (e.getErrorCode() != UNKNOWN_DATABASE) {
            return "the database is not reached: " + e.getMessage();
        }
        Matcher named = DATABASE.matcher(String.valueOf(url));
        String name = named.matches() ? named.group(1) : "of this URL";
        return "there is no database " + name + " on this server: CREATE DATABASE " + name
                + ", then acidq schema apply; or correct the URL";
    }

    private @Nullable String secret(Map<String, String> environment) {
        String given = password;
        if (given == null) {
            return environment.get("ACIDQ_PASSWORD");
        }
        if (given.equals(ASK)) {
            return PasswordPrompt.read();
        }
        if (!given.startsWith("@")) {
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
