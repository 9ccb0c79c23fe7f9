package io.acidq.examples.orders;

import io.acidq.devdb.DevDatabase;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A real MariaDB that starts and stops with the application, unless another database is given. */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedDatabase.NoOtherGiven.class)
class EmbeddedDatabase {

    static final String URL_PROPERTY = "spring.datasource.url";

    @Bean
    DevDatabase devDatabase() {
        Progress.print("starting an embedded MariaDB; --" + URL_PROPERTY + "=... takes one of your own");
        return DevDatabase.start();
    }

    @Bean
    JdbcConnectionDetails connectionDetails(DevDatabase database) {
        return new JdbcConnectionDetails() {
            @Override
            public String getJdbcUrl() {
                return database.jdbcUrl();
            }

            @Override
            public String getUsername() {
                return database.username();
            }

            @Override
            public String getPassword() {
                return database.password();
            }
        };
    }

    static final class NoOtherGiven implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !context.getEnvironment().containsProperty(URL_PROPERTY);
        }
    }
}
