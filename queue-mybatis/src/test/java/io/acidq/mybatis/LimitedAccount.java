package io.acidq.mybatis;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.testservers.TestDatabase;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An account of a test's database with the privileges of some roles and no others. With {@code -Dacidq.test.grants=true} the conformance
 * suites of store and engine work with such an account.
 *
 * @param user its name, on both kinds of hosts: a given server may have an anonymous user of localhost, which would take precedence
 */
public record LimitedAccount(TestDatabase database, String user, String password) implements AutoCloseable {

    /** Whether the conformance suites are to run with least privileges. */
    public static boolean wanted() {
        return Boolean.getBoolean("acidq.test.grants");
    }

    /** One that may do nothing. It goes at the end of this JVM at the latest. */
    public static LimitedAccount on(TestDatabase database) {
        LimitedAccount account = new LimitedAccount(
                database, "u" + UUID.randomUUID().toString().replace("-", "").substring(0, 20), "Secret-1234");
        account.hosts()
                .forEach(host ->
                        database.server().execute("CREATE USER " + host + " IDENTIFIED BY '" + account.password + "'"));
        Runtime.getRuntime().addShutdownHook(new Thread(account::close));
        return account;
    }

    /** Has the tables of AcidQ created by a migrator, where that is {@linkplain #wanted wanted}, and else by whom the pool has. */
    public static void createTables(TestDatabase database, HikariDataSource admin) {
        if (!wanted()) {
            Schema.create(admin);
            return;
        }
        try (LimitedAccount migrator = on(database).with(Role.MIGRATOR);
                HikariDataSource pool = migrator.pool(admin)) {
            Schema.create(pool);
        }
    }

    /** One that does all but migrate, and may work with the tables of its application, which need not be there. */
    public static LimitedAccount ofAnApplication(TestDatabase database, String... tables) {
        LimitedAccount account =
                on(database).with(Role.ENQUEUER).with(Role.WORKER).with(Role.OPERATOR);
        for (String table : tables) {
            account.hosts()
                    .forEach(host -> database.server()
                            .execute("GRANT CREATE, SELECT, INSERT, UPDATE, DELETE ON " + database.name() + "." + table
                                    + " TO " + host));
        }
        return account;
    }

    public LimitedAccount with(Role role) {
        Stream.of("%", "localhost")
                .flatMap(host -> Schema.grants(role, database.name(), user + "@" + host).stream())
                .forEach(grant -> database.server().execute(grant));
        return this;
    }

    /** A pool like that, of this account. */
    public HikariDataSource pool(HikariConfig like) {
        HikariConfig limited = new HikariConfig();
        like.copyStateTo(limited);
        limited.setUsername(user);
        limited.setPassword(password);
        return new HikariDataSource(limited);
    }

    private List<String> hosts() {
        return List.of("'" + user + "'@'%'", "'" + user + "'@'localhost'");
    }

    @Override
    public void close() {
        hosts().forEach(host -> database.server().execute("DROP USER IF EXISTS " + host));
    }
}
