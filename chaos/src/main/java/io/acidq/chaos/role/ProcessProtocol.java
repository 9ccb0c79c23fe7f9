package io.acidq.chaos.role;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/**
 * How a process reaches the database.
 *
 * @param url      JDBC URL, perhaps of a proxy
 * @param user     the user
 * @param password the password
 */
public record ProcessProtocol(String url, String user, String password) {

    public HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        config.setAutoCommit(false);
        config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
        config.setInitializationFailTimeout(-1); // the server may be away when we begin
        return new HikariDataSource(config);
    }
}
