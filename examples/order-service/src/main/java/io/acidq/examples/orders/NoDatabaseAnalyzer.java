package io.acidq.examples.orders;

import io.acidq.devdb.DevDatabaseException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains without a stack trace why the embedded database does not run on this machine. */
final class NoDatabaseAnalyzer extends AbstractFailureAnalyzer<DevDatabaseException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, DevDatabaseException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Change that, or give a MySQL or MariaDB of your own: --" + EmbeddedDatabase.URL_PROPERTY
                        + "=jdbc:mysql://host:port/database --spring.datasource.username=... --spring.datasource.password=...",
                cause);
    }
}
