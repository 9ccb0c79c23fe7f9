package io.acidq.mybatis.store;

import io.acidq.mybatis.store.OperatorPrivileges.Privilege;
import io.acidq.store.ServerStore.OpenTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Param;
import org.jspecify.annotations.Nullable;

/** Statements on the server: its commits, settings and open transactions, and a probe of its locks. */
interface ServerMapper {

    @Nullable
    Executed executed();

    Awaited await(@Param("gtid") String gtid, @Param("seconds") long seconds);

    SessionRow session();

    /** Not on H2. */
    List<Setting> settings(@Param("names") Collection<String> names);

    /** Not on H2. */
    List<OpenTransactionRow> openTransactions(@Param("seconds") long seconds, @Param("limit") int limit);

    /** Not on H2, nor are the next two. */
    List<Map<String, Object>> explainInsert(Privilege privilege);

    List<Map<String, Object>> explainUpdate(Privilege privilege);

    List<Map<String, Object>> explainDelete(Privilege privilege);

    int insertProbe(@Param("queue") int queue);

    @Nullable
    Long lockProbe(@Param("queue") int queue);

    @Nullable
    Long readProbe(@Param("queue") int queue);

    int changeProbe(@Param("queue") int queue);

    int deleteProbe(@Param("queue") int queue);

    /**
     * The transactions that the server has executed.
     *
     * @param numbered whether the server numbers transactions, 1 or 0
     * @param server   the identifier of the server in these numbers
     * @param gtids    the set of all numbers
     */
    record Executed(int numbered, String server, String gtids) {}

    /**
     * The result of a wait.
     *
     * @param inVain whether the wait timed out, 1 or 0
     * @param server the identifier of the server in transaction numbers
     * @param gtids  the set of the numbers that the server has executed after the wait
     */
    record Awaited(int inVain, String server, String gtids) {}

    record SessionRow(Instant serverNow, String timeZone, String isolation) {}

    record Setting(String variableName, String value) {}

    /** A row of the transactions of InnoDB. */
    record OpenTransactionRow(long connection, long seconds, long rowsLocked, long rowsModified) {

        OpenTransaction toOpenTransaction() {
            return new OpenTransaction(connection, Duration.ofSeconds(seconds), rowsLocked, rowsModified);
        }
    }
}
