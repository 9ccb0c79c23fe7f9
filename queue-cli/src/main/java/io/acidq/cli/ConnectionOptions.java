package io.acidq.cli;

import io.acidq.cli.Acidq.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for connecting to the database. The password is never shown. */
class ConnectionOptions {

    /** The value of {@code --password} without a value. No argument of a process can contain it. */
    static final String ASK = "\0";

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
            description = "The account. An operator's privileges are enough. Default: ACIDQ_USER.")
    @Nullable
    String user;

    @Option(
            names = "--password",
            paramLabel = "PASSWORD",
            arity = "0..1",
            fallbackValue = ASK,
            description =
                    "The password, or @FILE for the first line of a file. Without a value the command asks for it. Default: ACIDQ_PASSWORD.")
    @Nullable
    String password;

    /** Takes what is not given from the environment, for options that picocli did not complete. */
    final void completeFromEnvironment() {
        url = url == null ? System.getenv("ACIDQ_URL") : url;
        user = user == null ? System.getenv("ACIDQ_USER") : user;
    }

    /** Returns a data source after one successful connection to a named database. */
    final DirectDataSource dataSource() {
        DirectDataSource server = unverifiedDataSource();
        try (Connection connection = server.getConnection()) {
            String database = connection.getCatalog();
            if (database == null || database.isEmpty()) {
                throw new CommandException(
                        ExitCode.USAGE,
                        "the URL names no database: add one after the port, as in jdbc:mysql://host:port/database");
            }
        } catch (SQLException e) {
            throw new CommandException(ExitCode.UNREACHABLE, connectionError(e), e);
        }
        return server;
    }

    /** Returns a data source without connecting. Its URL may name no database. */
    final DirectDataSource unverifiedDataSource() {
        String jdbcUrl = url;
        if (jdbcUrl == null || jdbcUrl.isBlank()) {
            throw new CommandException(ExitCode.USAGE, "no database is given: add --url or set ACIDQ_URL");
        }
        if (!jdbcUrl.startsWith("jdbc:mysql:") && !jdbcUrl.startsWith("jdbc:mariadb:")) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "not a JDBC URL of MySQL or MariaDB: it must start with jdbc:mysql:// or jdbc:mariadb://");
        }
        return new DirectDataSource(jdbcUrl, user, resolve(password, "ACIDQ_PASSWORD", "--password"));
    }

    /** Returns a pool for a process that goes on, without connecting. */
    final ConnectionPool pool() {
        return new ConnectionPool(unverifiedDataSource());
    }

    private String connectionError(SQLException e) {
        if (e.getErrorCode() != UNKNOWN_DATABASE) {
            return "cannot connect to the database: " + e.getMessage();
        }
        Matcher matcher = DATABASE.matcher(String.valueOf(url));
        String name = matcher.matches() ? matcher.group(1) : "of this URL";
        return "there is no database " + name + " on this server: run CREATE DATABASE " + name
                + ", then acidq schema apply; or correct the URL";
    }

    /**
     * Returns a password of an option that may also name a file or ask for the password.
     *
     * @param variable the environment variable that has it if the option is not given
     */
    static @Nullable String resolve(@Nullable String given, String variable, String option) {
        if (given == null) {
            return System.getenv(variable);
        }
        if (given.equals(ASK)) {
            return PasswordPrompt.read(PasswordPrompt.PROMPT, "set " + variable + " or use " + option + "=@FILE");
        }
        if (!given.startsWith("@")) {
            return given;
        }
        Path file = Path.of(given.substring(1));
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.isEmpty() ? "" : lines.get(0);
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, "cannot read the password file: " + file);
        }
    }
}
