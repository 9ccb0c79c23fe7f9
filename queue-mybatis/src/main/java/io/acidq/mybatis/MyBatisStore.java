package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.ConnectionCache;
import io.acidq.mybatis.session.JoinedStoreTransactions;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.MyBatisClaimStore;
import io.acidq.mybatis.store.MyBatisDeadLetterStore;
import io.acidq.mybatis.store.MyBatisEnqueueStore;
import io.acidq.mybatis.store.MyBatisInboxStore;
import io.acidq.mybatis.store.MyBatisInspectionStore;
import io.acidq.mybatis.store.MyBatisMaintenanceStore;
import io.acidq.mybatis.store.MyBatisNodeStore;
import io.acidq.mybatis.store.MyBatisQueueStore;
import io.acidq.mybatis.store.MyBatisServerStore;
import io.acidq.mybatis.store.StoreMappers;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;

/**
 * The store over a DataSource of MySQL, MariaDB or, for development, H2; which one is found from the first connection. Create the tables
 * first: {@link Schema}. One store per DataSource is enough, whatever the number of queues.
 *
 * <p>Besides the application's transactions the store takes connections of its own from the DataSource: one for the heartbeat of a running
 * engine, and one per thread that claims or writes the end of a failed run. Up to four of these are kept for a third of a second, and one, by which an
 * idle node looks for work, for half a minute. A pool needs that many more.
 */
public final class MyBatisStore {

    private MyBatisStore() {}

    /** A store for plain Java; its transactions are {@link JdbcTransactions}, of which only this store knows. */
    public static Store over(DataSource dataSource) {
        return over(dataSource, new JdbcTransactions(dataSource));
    }

    /**
     * A store that takes part in these transactions, which must be of the same database, and of the same DataSource unless they are JTA's: those
     * of the store's own must not be enlisted.
     */
    public static Store over(DataSource dataSource, Transactions transactions) {
        MyBatisSessions sessions = StoreMappers.over(dataSource);
        ConnectionCache connections = new ConnectionCache(sessions, System::nanoTime, true);
        StoreTransactions own = new StoreTransactions(sessions, connections);
        return of(
                transactions,
                sessions,
                own,
                new MyBatisServerStore(sessions, own, () -> Schema.check(dataSource), () -> Schema.create(dataSource)));
    }

    /**
     * A store that does everything in the transaction on the calling thread, also what otherwise runs in short transactions of its own, and
     * takes it back to a savepoint where those would roll back. For tests whose transaction is rolled back at the end: no other transaction sees its
     * messages. It neither checks the tables nor can it probe locks.
     */
    public static Store joined(Transactions transactions) {
        MyBatisSessions sessions = StoreMappers.over(new UnpooledDataSource()); // never asked for a connection
        StoreTransactions own = new JoinedStoreTransactions(sessions, transactions);
        return of(
                transactions,
                sessions,
                own,
                new MyBatisServerStore(sessions, own, () -> {}, MyBatisStore::createNoTables));
    }

    private static Store of(
            Transactions transactions, MyBatisSessions sessions, StoreTransactions own, MyBatisServerStore server) {
        return new Store(
                transactions,
                new MyBatisQueueStore(own),
                new MyBatisEnqueueStore(sessions, transactions),
                new MyBatisClaimStore(sessions, transactions, own),
                new MyBatisNodeStore(own),
                new MyBatisMaintenanceStore(own),
                new MyBatisInboxStore(sessions, transactions),
                new MyBatisDeadLetterStore(own),
                new MyBatisInspectionStore(own),
                server);
    }

    private static void createNoTables() {
        throw new QueueMisuseException(
                "this store creates no tables: let your migrations run AcidQ's DDL, or call Schema.create");
    }
}
