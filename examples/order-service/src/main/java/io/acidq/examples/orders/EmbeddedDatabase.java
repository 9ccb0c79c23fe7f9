package io.acidq.examples.orders;

import io.acidq.devdb.DevDatabase;
import io.acidq.devdb.DevDatabaseException;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A real MariaDB that starts and stops with the application, unless spring.datasource.url names a database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = EmbeddedDatabase.URL_PROPERTY, havingValue = "embedded", matchIfMissing = true)
class EmbeddedDatabase {

    static final String URL_PROPERTY = "spring.datasource.url";

    @Bean
    DevDatabase devDatabase() {
        Progress.print("starting an embedded MariaDB (--" + URL_PROPERTY + "=... uses another database)");
        return DevDatabase.start();
    }

    @Bean
    JdbcConnectionDetails connectionDetails(DevDatabase database) {
        return new Details(database.jdbcUrl(), database.username(), database.password());
    }

    private record Details(String getJdbcUrl, String getUsername, String getPassword)
            implements JdbcConnectionDetails {}

    /** Explains without a stack trace why the embedded database does not run on this machine. */
    static final class StartFailureAnalyzer extends AbstractFailureAnalyzer<DevDatabaseException> {

        @Override
        protected FailureAnalysis analyze(Throwable rootFailure, DevDatabaseException cause) {
            return new FailureAnalysis(
                    String.valueOf(cause.getMessage()),
                    "Change that, or use a MySQL or MariaDB of your own: --" + URL_PROPERTY
                            + "=jdbc:mysql://host:port/database --spring.datasource.username=... --spring.datasource.password=...",
                    cause);
        }
    }
}
