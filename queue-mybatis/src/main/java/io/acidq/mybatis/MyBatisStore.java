package io.acidq.mybatis;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.session.ConnectionCache;
import io.acidq.mybatis.session.JoinedStoreTransactions;
import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.StoreTransactions;
import io.acidq.mybatis.store.MyBatisClaimStore;
import io.acidq.mybatis.store.MyBatisDeadLetterStore;
import io.acidq.mybatis.store.MyBatisEnqueueStore;
import io.acidq.mybatis.store.MyBatisHistoryStore;
import io.acidq.mybatis.store.MyBatisInboxStore;
import io.acidq.mybatis.store.MyBatisInspectionStore;
import io.acidq.mybatis.store.MyBatisMaintenanceStore;
import io.acidq.mybatis.store.MyBatisNodeStore;
import io.acidq.mybatis.store.MyBatisQueueStore;
import io.acidq.mybatis.store.MyBatisReceiptStore;
import io.acidq.mybatis.store.MyBatisRecurringStore;
import io.acidq.mybatis.store.MyBatisServerStore;
import io.acidq.mybatis.store.MyBatisSubscriptionStore;
import io.acidq.mybatis.store.StoreMappers;
import io.acidq.store.HistoryStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;

/**
 * Creates a {@link Store} over a DataSource of MySQL, MariaDB or, for development, H2. The store detects the database on its first connection.
 * {@link Schema} creates the tables, which must exist before. One store per DataSource is enough for any number of queues.
 *
 * <p>In addition to the application's transactions, the store borrows connections of its own from the DataSource: one for the heartbeat of a running
 * engine, and one per thread that claims messages or records a failed run. It keeps up to four of these for a third of a second, and one, with which
 * an idle node looks for work, for half a minute. The pool must be larger by this number.
 */
public final class MyBatisStore {

    private MyBatisStore() {}

    /** Creates a store for plain Java with {@link JdbcTransactions} of its own. */
    public static Store over(DataSource dataSource) {
        return over(dataSource, new JdbcTransactions(dataSource));
    }

    /**
     * Creates a store that takes part in the given transactions. They must use the same database and, except with JTA, the same DataSource. With JTA
     * the connections of this DataSource must not be enlisted.
     */
    public static Store over(DataSource dataSource, Transactions transactions) {
        DataSource ownConnections = transactions.ownConnections(dataSource);
        MyBatisSessions sessions = StoreMappers.over(ownConnections);
        ConnectionCache connections = new ConnectionCache(sessions, System::nanoTime, true);
        StoreTransactions own = new StoreTransactions(sessions, connections);
        return of(
                transactions,
                sessions,
                own,
                new MyBatisHistoryStore(own),
                new MyBatisServerStore(
                        sessions, own, () -> Schema.check(ownConnections), () -> Schema.create(ownConnections)));
    }

    /**
     * Creates a store for tests whose transaction is rolled back at the end. It does everything in the transaction on the calling thread, including
     * the work for which other stores use short transactions of their own. Where those would roll back, it rolls back to a savepoint. No other
     * transaction sees its messages. It does not check the tables, cannot probe locks, and keeps no history.
     */
    public static Store joined(Transactions transactions) {
        MyBatisSessions sessions = StoreMappers.over(new UnpooledDataSource()); // no connection is taken from it
        StoreTransactions own = new JoinedStoreTransactions(sessions, transactions);
        return of(
                transactions,
                sessions,
                own,
                HistoryStore.NONE,
                new MyBatisServerStore(sessions, own, () -> {}, MyBatisStore::createNoTables));
    }

    private static Store of(
            Transactions transactions,
            MyBatisSessions sessions,
            StoreTransactions own,
            HistoryStore history,
            MyBatisServerStore server) {
        return new Store(
                transactions,
                new MyBatisQueueStore(own),
                new MyBatisEnqueueStore(sessions, transactions),
                new MyBatisClaimStore(sessions, transactions, own),
                new MyBatisNodeStore(own),
                new MyBatisMaintenanceStore(own),
                new MyBatisInboxStore(sessions, transactions),
                new MyBatisDeadLetterStore(sessions, own),
                new MyBatisInspectionStore(own),
                new MyBatisSubscriptionStore(sessions, transactions, own),
                new MyBatisRecurringStore(sessions, transactions, own),
                new MyBatisReceiptStore(sessions, transactions, own),
                history,
                server);
    }

    private static void createNoTables() {
        throw new QueueMisuseException(
                "this store creates no tables: run AcidQ's DDL with your migrations, or call Schema.create");
    }
}
