package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/**
 * The URL and the credentials of the database.
 *
 * @param url JDBC URL, which may lead to a proxy
 */
public record DatabaseLogin(String url, String user, String password) {

    public HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setAutoCommit(false);
        config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
        config.setInitializationFailTimeout(-1); // the server may not be available yet
        return new HikariDataSource(config);
    }
}
