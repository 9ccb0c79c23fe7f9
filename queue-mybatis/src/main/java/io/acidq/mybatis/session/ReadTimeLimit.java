package io.acidq.mybatis.session;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A time after which the server ends a query. It is part of the text of each query, since a setting of the session would stay on the connection of
 * the pool. A limit applies to the queries that one thread makes meanwhile, and to no statement that changes something.
 */
public final class ReadTimeLimit {

    private static final String SELECT = "SELECT ";

    private static final ThreadLocal<@Nullable Duration> LIMIT = new ThreadLocal<>();

    private ReadTimeLimit() {}

    /** Runs work with a limit on each of its queries. */
    public static <T extends @Nullable Object> T within(Duration limit, Supplier<T> work) {
        Duration before = LIMIT.get();
        LIMIT.set(limit);
        try {
            return work.get();
        } finally {
            if (before == null) {
                LIMIT.remove();
            } else {
                LIMIT.set(before);
            }
        }
    }

    /** Returns the text of a statement of this thread, with the limit if it is a query. */
    static String limited(String sql, @Nullable String databaseId) {
        Duration limit = LIMIT.get();
        if (limit == null || !sql.startsWith(SELECT)) {
            return sql;
        }
        if (Vendor.MYSQL.databaseId().equals(databaseId)) {
            return SELECT + "/*+ MAX_EXECUTION_TIME(" + limit.toMillis() + ") */ " + sql.substring(SELECT.length());
        }
        if (Vendor.MARIADB.databaseId().equals(databaseId)) {
            return "SET STATEMENT max_statement_time = "
                    + BigDecimal.valueOf(limit.toMillis(), 3).toPlainString() + " FOR " + sql;
        }
        return sql;
    }
}
