package io.acidq.mybatis.store;

import io.acidq.mybatis.session.ExceptionTranslator;
import io.acidq.mybatis.session.StoreTransaction;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.CheckupMapper.OpenLine;
import io.acidq.mybatis.store.CheckupMapper.SessionLine;
import io.acidq.mybatis.store.CheckupMapper.Setting;
import io.acidq.store.CheckupStore;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What a server and a connection tell of themselves. */
public final class MyBatisCheckupStore implements CheckupStore {

    private final StoreTransactions transactions;

    public MyBatisCheckupStore(StoreTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public SessionLook session() {
        return transactions.once("session", MyBatisCheckupStore::look);
    }

    private static SessionLook look(StoreTransaction transaction) {
        SessionLine line = transaction.mapper(CheckupMapper.class).session();
        try {
            DatabaseMetaData about = transaction.connection().getMetaData();
            return new SessionLook(
                    Objects.requireNonNullElse(about.getURL(), ""),
                    about.getDriverName() + " " + about.getDriverVersion(),
                    about.getDatabaseProductName() + " " + about.getDatabaseProductVersion(),
                    line.serverNow(),
                    line.timeZone(),
                    line.isolation());
        } catch (SQLException e) {
            throw ExceptionTranslator.translate("session", e);
        }
    }

    @Override
    public Map<String, String> settings(Collection<String> names) {
        return transactions.once(
                "settings",
                t -> t.has(CheckupMapper.class, "settings")
                        ? t.mapper(CheckupMapper.class).settings(names).stream()
                                .collect(Collectors.toMap(
                                        s -> s.variableName().toLowerCase(Locale.ROOT), Setting::value))
                        : Map.of());
    }

    @Override
    public List<OpenTransaction> openTransactions(Duration longerThan, int most) {
        return transactions.once(
                "openTransactions",
                t -> t.has(CheckupMapper.class, "openTransactions")
                        ? t.mapper(CheckupMapper.class).openTransactions(longerThan.toSeconds(), most).stream()
                                .map(OpenLine::look)
                                .toList()
                        : List.of());
    }
}
