package io.acidq.mybatis.store;

import io.acidq.store.ServerStore.OpenTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.apache.ibatis.annotations.Param;

/** Statements on the settings, the session and the open transactions of a server. */
interface CheckupMapper {

    SessionRow session();

    /** Not on H2. */
    List<Setting> settings(@Param("names") Collection<String> names);

    /** Not on H2. */
    List<OpenTransactionRow> openTransactions(@Param("seconds") long seconds, @Param("most") int most);

    record SessionRow(Instant serverNow, String timeZone, String isolation) {}

    record Setting(String variableName, String value) {}

    /** A transaction as InnoDB shows it. */
    record OpenTransactionRow(long connection, long seconds, long rowsLocked, long rowsModified) {

        OpenTransaction toOpenTransaction() {
            return new OpenTransaction(connection, Duration.ofSeconds(seconds), rowsLocked, rowsModified);
        }
    }
}
