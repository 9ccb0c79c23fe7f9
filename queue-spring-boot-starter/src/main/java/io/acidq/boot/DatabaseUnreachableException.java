package io.acidq.boot;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.util.ClassUtils;

/** Thrown if the database of an engine provides no connection at startup. Names the URL, without what may be a secret. */
final class DatabaseUnreachableException extends CannotGetJdbcConnectionException {

    private static final long serialVersionUID = 1L;
    private static final boolean HIKARI = ClassUtils.isPresent(
            "com.zaxxer.hikari.HikariDataSource", DatabaseUnreachableException.class.getClassLoader());

    DatabaseUnreachableException(DataSource dataSource, SQLException cause) {
        super("AcidQ cannot reach its database" + (HIKARI ? address(HikariUrl.of(dataSource)) : ""), cause);
    }

    /** Returns the URL without its options and without all before the last @, with a blank before it; an empty text for null. */
    static String address(@Nullable String url) {
        return url == null
                ? ""
                : " "
                        + url.replaceFirst("[?;].*", "")
                                .replaceFirst("//.*@", "//")
                                .replaceAll("(?i)\\(\\s*(user|password)\\w*\\s*=[^)]*\\)", "");
    }

    /** Access to HikariCP; a class of its own, because HikariCP is optional. */
    private static final class HikariUrl {

        private HikariUrl() {}

        static @Nullable String of(DataSource dataSource) {
            HikariDataSource pool = DataSourceUnwrapper.unwrap(dataSource, HikariDataSource.class);
            return pool == null ? null : pool.getJdbcUrl();
        }
    }
}
