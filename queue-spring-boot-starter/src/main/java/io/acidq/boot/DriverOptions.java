package io.acidq.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.acidq.QueueMisuseException;
import io.acidq.engine.EngineDefinition;
import io.acidq.spring.QueueEngines;
import io.acidq.spring.transaction.SpringTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.util.ClassUtils;

/**
 * Refuses options of JDBC drivers with which the driver silently replaces a lost connection, so that later statements no longer run in the
 * transaction: automatic reconnects of Connector/J, and transaction replay of MariaDB's driver. The bean checks the {@code DataSource} of every
 * engine at startup, including those whose store the application has defined.
 */
final class DriverOptions implements SmartInitializingSingleton {

    private static final Set<String> REPLACING = Set.of("autoreconnect", "autoreconnectforpools", "transactionreplay");
    private static final Pattern OPTION = Pattern.compile("[?&,(]\\s*(\\w+)\\s*=\\s*(\\w+)");
    private static final boolean HIKARI =
            ClassUtils.isPresent("com.zaxxer.hikari.HikariDataSource", DriverOptions.class.getClassLoader());

    private final QueueEngines engines;

    DriverOptions(QueueEngines engines) {
        this.engines = engines;
    }

    @Override
    public void afterSingletonsInstantiated() {
        engines.all().forEach((name, engine) -> {
            if (EngineDefinition.of(engine).store().transactions() instanceof SpringTransactions transactions) {
                check(transactions.dataSource(), name);
            }
        });
    }

    /** Checks the {@code DataSource} of the main engine: the URL of a connection, and the properties of the pool if it is HikariCP. */
    static void check(DataSource dataSource) {
        check(dataSource, QueueEngines.MAIN);
    }

    private static void check(DataSource dataSource, String engine) {
        boolean isMain = engine.equals(QueueEngines.MAIN);
        if (HIKARI) { // first, because MariaDB's driver adds its properties to the URL that it reports
            HikariOptions.of(dataSource)
                    .ifPresent(option -> refuse(
                            option,
                            (isMain
                                            ? "spring.datasource.hikari.data-source-properties sets "
                                            : "a property of the pool of engine '" + engine + "' sets ")
                                    + option));
        }
        inUrl(url(dataSource))
                .ifPresent(option -> refuse(
                        option,
                        (isMain ? "the JDBC URL sets " : "the JDBC URL of engine '" + engine + "' sets ") + option));
    }

    /** Returns the first such option that is enabled, as it is written. */
    static Optional<String> inUrl(@Nullable String url) {
        Matcher options = OPTION.matcher(url == null ? "" : url);
        return options.results()
                .filter(o -> isReplacing(o.group(1), o.group(2)))
                .map(DriverOptions::asWritten)
                .findFirst();
    }

    private static String asWritten(MatchResult option) {
        return option.group(1) + "=" + option.group(2);
    }

    private static boolean isReplacing(String name, String value) {
        return REPLACING.contains(name.toLowerCase(Locale.ROOT))
                && Set.of("true", "yes", "1").contains(value.toLowerCase(Locale.ROOT));
    }

    private static void refuse(String option, String problem) {
        throw QueueMisuseException.withAction(
                problem
                        + ", with which the driver replaces a lost connection in the middle of a transaction, and a message could be"
                        + " acknowledged without its effects",
                "remove " + option + "; the pool replaces lost connections between transactions");
    }

    private static @Nullable String url(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            return connection.getMetaData().getURL();
        } catch (SQLException e) {
            throw new DatabaseUnreachableException(dataSource, e);
        }
    }

    /** Access to HikariCP; a class of its own, because HikariCP is optional. */
    private static final class HikariOptions {

        private HikariOptions() {}

        static Optional<String> of(DataSource dataSource) {
            HikariConfig pool = DataSourceUnwrapper.unwrap(dataSource, HikariDataSource.class);
            Properties properties = pool == null ? new Properties() : pool.getDataSourceProperties();
            return properties.stringPropertyNames().stream()
                    .filter(name -> isReplacing(name, properties.getProperty(name)))
                    .map(name -> name + "=" + properties.getProperty(name))
                    .findFirst();
        }
    }
}
