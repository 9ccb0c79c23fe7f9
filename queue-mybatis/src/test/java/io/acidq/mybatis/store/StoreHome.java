package io.acidq.mybatis.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.mybatis.JdbcTransactions;
import io.acidq.mybatis.MyBatisStore;
import io.acidq.mybatis.Schema;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.session.ShortTransactions;
import io.acidq.mybatis.session.Vendor;
import io.acidq.store.Store;
import io.acidq.testservers.ServerKind;
import io.acidq.testservers.TestDatabase;
import io.acidq.testservers.TestServers;
import java.util.UUID;

/** A database of its own with the tables, a pool, and a store over it, for the tests of one class. */
record StoreHome(
        HikariDataSource dataSource,
        JdbcTransactions transactions,
        Store store,
        Sessions sessions,
        ShortTransactions own,
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

    static StoreHome on(ServerKind kind, Driver driver, String moreParameters, boolean autoCommit) {
        TestDatabase database = TestServers.get(kind).createDatabase();
        HikariConfig config = new HikariConfig();
        var address = database.server().address();
        config.setJdbcUrl(driver.scheme + "//" + address.getHostString() + ":" + address.getPort() + "/"
                + database.name() + "?" + driver.parameters + moreParameters);
        config.setUsername(database.username());
        config.setPassword(database.password());
        config.setAutoCommit(autoCommit);
        return over(config, kind == ServerKind.MYSQL ? Vendor.MYSQL : Vendor.MARIADB);
    }

    static StoreHome onH2() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=MySQL;DB_CLOSE_DELAY=-1");
        return over(config, Vendor.H2);
    }

    private static StoreHome over(HikariConfig config, Vendor vendor) {
        config.setMaximumPoolSize(30);
        config.setMinimumIdle(0);
        HikariDataSource dataSource = new HikariDataSource(config);
        Schema.create(dataSource);
        JdbcTransactions transactions = new JdbcTransactions(dataSource);
        Sessions sessions = new Sessions(dataSource, StoreMappers.FILES);
        return new StoreHome(
                dataSource,
                transactions,
                MyBatisStore.over(dataSource, transactions),
                sessions,
                new ShortTransactions(sessions),
                vendor);
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
    }
}
