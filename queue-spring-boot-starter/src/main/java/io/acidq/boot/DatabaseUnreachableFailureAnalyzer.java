package io.acidq.boot;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes a database that gives no connection, in the words of its server or the driver, and what to look at. */
final class DatabaseUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<DatabaseUnreachableException> {

    private static final int NO_PRIVILEGE = 1044;
    private static final int DENIED = 1045;
    private static final int UNKNOWN_DATABASE = 1049;
    private static final int UNKNOWN_ACCOUNT = 1698;

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DatabaseUnreachableException cause) {
        SQLException told = told(cause);
        return new FailureAnalysis(
                "AcidQ can not reach its database: " + (told == null ? cause.getMessage() : told.getMessage()),
                action(told == null ? 0 : told.getErrorCode()),
                cause);
    }

    /** That with the server's own number, else the innermost one. */
    private static @Nullable SQLException told(Throwable outermost) {
        SQLException told = null;
        for (Throwable each = outermost; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && (told == null || told.getErrorCode() == 0)) {
                told = sql;
            }
        }
        return told;
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
