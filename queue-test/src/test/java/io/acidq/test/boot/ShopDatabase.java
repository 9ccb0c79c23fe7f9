package io.acidq.test.boot;

import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.DynamicPropertyRegistry;

/** One database of the shop for each server, for all tests. */
final class ShopDatabase {

    private static final Map<ServerKind, TestDatabase> DATABASES = new EnumMap<>(ServerKind.class);

    private ShopDatabase() {}

    static void of(ServerKind kind, DynamicPropertyRegistry properties) {
        TestDatabase database = DATABASES.computeIfAbsent(kind, ShopDatabase::create);
        properties.add("spring.datasource.url", database::jdbcUrl);
        properties.add("spring.datasource.username", database::username);
        properties.add("spring.datasource.password", database::password);
        properties.add("acidq.initialize-schema", () -> "always");
    }

    private static TestDatabase create(ServerKind kind) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        JdbcTemplate jdbc = new JdbcTemplate(
                new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password()));
        jdbc.execute("CREATE TABLE orders (id BIGINT NOT NULL)");
        jdbc.execute("CREATE TABLE shipments (id BIGINT NOT NULL)");
        return database;
    }
}
