package io.acidq.mybatis.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Role;
import io.acidq.mybatis.Schema;
import io.acidq.mybatis.session.ConnectionCache;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.Store;
import io.acidq.testservers.LimitedAccount;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.UUID;

/**
 * A database of its own with the tables, a pool, and a store over it, for the tests of one class. What tests do beside the store goes
 * through the admin's pool, which is the store's unless that has {@linkplain LimitedAccount least privileges}.
 */
record StoreDatabase(
        HikariDataSource dataSource,
        HikariDataSource admin,
        JdbcTransactions transactions,
        Store store,
        MyBatisSessions sessions,
        StoreTransactions own,
        Vendor vendor)
        implements AutoCloseable {

    /** MySQL's driver works for both servers. */
    enum Driver {
        CONNECTOR_J("jdbc:mysql:", "sslMode=DISABLED&allowPublicKeyRetrieval=true"),
        MARIADB("jdbc:mariadb:", "sslMode=disable");

        private final String scheme;
        private final String parameters;

        Driver(String scheme, String parameters) {
            this.scheme = scheme;
            this.parameters = parameters;
        }
    }

    static StoreDatabase on(ServerKind kind, Driver driver, String moreParameters, boolean autoCommit) {
        return on(TestServers.get(kind).createDatabase(), driver, moreParameters, autoCommit);
    }

    static StoreDatabase on(TestDatabase database, Driver driver, String moreParameters, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        var address = database.server().address();
        config.setJdbcUrl(driver.scheme + "//" + address.getHostString() + ":" + address.getPort() + "/"
                + database.name() + "?" + driver.parameters + moreParameters);
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setAutoCommit(autoCommit);
        Vendor vendor = database.server().kind() == ServerKind.MYSQL ? Vendor.MYSQL : Vendor.MARIADB;
        HikariDataSource admin = pool(config);
        if (!LimitedAccount.wanted()) {
            Schema.create(admin);
            return over(admin, admin, vendor);
        }
        try (LimitedAccount migrator = granted(database, Role.MIGRATOR);
                HikariDataSource migrating = pool(config, migrator)) {
            Schema.create(migrating);
        }
        LimitedAccount application = granted(database, Role.ENQUEUER, Role.WORKER, Role.OPERATOR);
        HikariDataSource stores = pool(config, application.mayUse("app", "app2", "stay"));
        return over(admin, stores, vendor);
    }

    static StoreDatabase onH2() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        HikariDataSource pool = pool(config);
        Schema.create(pool);
        return over(pool, pool, Vendor.H2);
    }

    private static LimitedAccount granted(TestDatabase database, Role... roles) {
        LimitedAccount account = LimitedAccount.on(database);
        for (Role role : roles) {
            account.granted((name, who) -> Schema.grants(role, name, who));
        }
        return account;
    }

    /** The same pool for this account. */
    private static HikariDataSource pool(HikariConfig like, LimitedAccount account) {
        HikariConfig config = new HikariConfig();
        like.copyStateTo(config);
        config.setUsername(account.user());
        config.setPassword(account.password());
        return new HikariDataSource(config);
    }

    private static HikariDataSource pool(HikariConfig config) {
        config.setMaximumPoolSize(30);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    private static StoreDatabase over(HikariDataSource admin, HikariDataSource dataSource, Vendor vendor) {
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        MyBatisSessions sessions = StoreMappers.over(dataSource);
        return new StoreDatabase(
                dataSource,
                admin,
                transactions,
                MyBatisStore.over(dataSource, transactions),
                sessions,
                new StoreTransactions(sessions, new ConnectionCache(sessions, System::nanoTime, true)),
                vendor);
    }

    /** The same database through another pool. */
    StoreDatabase through(HikariDataSource pool) {
        return over(admin, pool, vendor);
    }

    /** Settings of another pool to the same database. */
    HikariConfig another(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(dataSource.getJdbcUrl());
        config.setUsername(dataSource.getUsername());
        config.setPassword(dataSource.getPassword());
        config.setAutoCommit(dataSource.isAutoCommit());
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(0);
        return config;
    }

    boolean isH2() {
        return vendor == Vendor.H2;
    }

    boolean isMariaDb() {
        return vendor == Vendor.MARIADB;
    }

    @Override
    public void close() {
        dataSource.close();
        admin.close();
    }
}
