package io.acidq.boot;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes an unreachable database with the message of the server or the driver, and suggests a correction. */
final class DatabaseUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseUnreachableException> {

    private static final int NO_PRIVILEGE = 1044;
    private static final int DENIED = 1045;
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int UNKNOWN_ACCOUNT = 1698;

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DatabaseUnreachableException cause) {
        SQLException reported = findSqlException(cause);
        return new FailureAnalysis(
                cause.getMessage() + (reported == null ? "" : ": " + reported.getMessage()),
                action(reported == null ? 0 : reported.getErrorCode()),
                cause);
    }

    /** Returns the exception with an error code of the server, or else the innermost one. */
    private static @Nullable SQLException findSqlException(Throwable outermost) {
        SQLException found = null;
        for (Throwable each = outermost; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && (found == null || found.getErrorCode() == 0)) {
                found = sql;
            }
        }
        return found;
    }

    private static String action(int code) {
        return switch (code) {
            case UNKNOWN_DATABASE ->
                "Create the database with CREATE DATABASE, or correct its name in spring.datasource.url.";
            case DENIED, UNKNOWN_ACCOUNT ->
                "Correct spring.datasource.username and spring.datasource.password, or create the account.";
            case NO_PRIVILEGE ->
                "GRANT the account its privileges in this database, or correct the name in spring.datasource.url.";
            default ->
                "Start the database, or correct spring.datasource.url: AcidQ checks its tables when the application starts.";
        };
    }
}
