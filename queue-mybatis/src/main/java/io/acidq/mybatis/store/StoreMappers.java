package io.acidq.mybatis.store;

import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import java.util.List;
import javax.sql.DataSource;

/** The mapper files of the store. */
public final class StoreMappers {

    private static final List<String> FILES = List.of(
            "Fragments.xml",
            "Locks.xml",
            "Session.xml",
            "Queues.xml",
            "Enqueue.xml",
            "Subscriptions.xml",
            "Recurring.xml",
            "Receipts.xml",
            "Keys.xml",
            "Claims.xml",
            "Parked.xml",
            "Strategies.xml",
            "Ends.xml",
            "Scheduled.xml",
            "Nodes.xml",
            "DeadLetters.xml",
            "Inbox.xml",
            "Retention.xml",
            "Inspection.xml",
            "History.xml",
            "Cancel.xml",
            "Server.xml");

    private static final List<RowHandler<?>> ROWS =
            List.of(new LaneClaim.HeadRowHandler(), new MyBatisHistoryStore.PointHandler());

    private StoreMappers() {}

    /** Creates sessions for the statements of the store. */
    public static MyBatisSessions over(DataSource dataSource) {
        return new MyBatisSessions(dataSource, FILES, ROWS);
    }
}
