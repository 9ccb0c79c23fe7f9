package io.acidq.mybatis;

import io.acidq.mybatis.session.JoinedConnection;
import io.acidq.mybatis.session.JoinedTransactions;
import io.acidq.mybatis.session.NodeConnection;
import io.acidq.mybatis.session.Sessions;
import io.acidq.mybatis.session.ShortTransactions;
import io.acidq.mybatis.store.MyBatisArchiveStore;
import io.acidq.mybatis.store.MyBatisAuditStore;
import io.acidq.mybatis.store.MyBatisBacklogStore;
import io.acidq.mybatis.store.MyBatisBrowseStore;
import io.acidq.mybatis.store.MyBatisCheckupStore;
import io.acidq.mybatis.store.MyBatisClaimStore;
import io.acidq.mybatis.store.MyBatisCommitStore;
import io.acidq.mybatis.store.MyBatisDeadLetterStore;
import io.acidq.mybatis.store.MyBatisEnqueueStore;
import io.acidq.mybatis.store.MyBatisInboxStore;
import io.acidq.mybatis.store.MyBatisNodeStore;
import io.acidq.mybatis.store.MyBatisQueueStore;
import io.acidq.mybatis.store.MyBatisRetentionStore;
import io.acidq.mybatis.store.MyBatisScheduleStore;
import io.acidq.mybatis.store.MyBatisWhyStore;
import io.acidq.mybatis.store.StoreMappers;
import io.acidq.store.SchemaStore;
import io.acidq.store.Store;
import io.acidq.store.Transactions;
import javax.sql.DataSource;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;

/**
 * The store over a DataSource of MySQL, MariaDB or, for development, H2; which one is found from the first connection. Create the tables
 * first: {@link Schema}. One store per DataSource is enough, whatever the number of queues.
 *
 * <p>Besides the application's transactions the store takes connections of its own from the DataSource: one for the heartbeat of a running
 * engine, and one per thread that claims or writes the end of a failed run, of which up to four are kept for a third of a second, one that an
 * idle node looks by for half a minute. A pool needs that
 * many more.
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
        Sessions sessions = StoreMappers.over(dataSource);
        NodeConnection nodes = new NodeConnection(sessions);
        return of(new Tables(dataSource), sessions, transactions, nodes, new ShortTransactions(sessions));
    }

    /**
     * A store that does everything in the transaction on the calling thread, also what otherwise runs in short transactions of its own, and
     * takes it back to a savepoint where those would roll back. For tests whose transaction is rolled back at the end: nobody else sees the messages in
     * it. It neither checks the tables nor can it probe locks.
     */
    public static Store joined(Transactions transactions) {
        Sessions sessions = StoreMappers.over(new UnpooledDataSource()); // never asked for a connection
        JoinedTransactions own = new JoinedTransactions(sessions, transactions);
        return of(() -> {}, sessions, transactions, new JoinedConnection(sessions, transactions), own);
    }

    private static Store of(
            SchemaStore schema,
            Sessions sessions,
            Transactions transactions,
            NodeConnection nodes,
            ShortTransactions own) {
        return new Store(
                schema,
                transactions,
                new MyBatisQueueStore(own),
                new MyBatisEnqueueStore(sessions, transactions),
                new MyBatisCommitStore(own),
                new MyBatisClaimStore(sessions, transactions, own),
                new MyBatisScheduleStore(own),
                new MyBatisNodeStore(nodes, own),
                new MyBatisDeadLetterStore(own),
                new MyBatisAuditStore(own),
                new MyBatisInboxStore(sessions, transactions),
                new MyBatisArchiveStore(own),
                new MyBatisRetentionStore(own),
                new MyBatisBacklogStore(own),
                new MyBatisWhyStore(own),
                new MyBatisBrowseStore(own),
                new MyBatisCheckupStore(own));
    }

    private record Tables(DataSource dataSource) implements SchemaStore {

        @Override
        public void check() {
            Schema.check(dataSource);
        }

        @Override
        public void create() {
            Schema.create(dataSource);
        }
    }
}
