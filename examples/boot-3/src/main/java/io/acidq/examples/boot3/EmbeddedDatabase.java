package io.acidq.examples.boot3;

import io.acidq.devdb.DevDatabase;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A real MariaDB that starts and stops with the application, unless spring.datasource.url names a database. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "spring.datasource.url", havingValue = "embedded", matchIfMissing = true)
class EmbeddedDatabase {

    @Bean
    DevDatabase devDatabase() {
        return DevDatabase.start();
    }

    @Bean
    JdbcConnectionDetails connectionDetails(DevDatabase database) {
        return new Details(database.jdbcUrl(), database.username(), database.password());
    }

    private record Details(String getJdbcUrl, String getUsername, String getPassword)
            implements JdbcConnectionDetails {}
}
