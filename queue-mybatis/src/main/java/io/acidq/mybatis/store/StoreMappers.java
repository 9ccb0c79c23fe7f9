package io.acidq.mybatis.store;

import io.acidq.mybatis.session.MyBatisSessions;
import io.acidq.mybatis.session.TypeHandlers.RowHandler;
import java.util.List;
import javax.sql.DataSource;

/** The statements of the store. */
public final class StoreMappers {

    private static final List<String> FILES = List.of(
            "Fragments.xml",
            "Locks.xml",
            "Session.xml",
            "Queues.xml",
            "Enqueue.xml",
            "Keys.xml",
            "Claims.xml",
            "Parked.xml",
            "Strategies.xml",
            "Probe.xml",
            "Commits.xml",
            "Ends.xml",
            "Schedule.xml",
            "Nodes.xml",
            "DeadLetters.xml",
            "Audit.xml",
            "Inbox.xml",
            "Archive.xml",
            "Retention.xml",
            "Backlog.xml",
            "Why.xml",
            "Browse.xml",
            "Checkup.xml");

    private static final List<RowHandler<?>> ROWS = List.of(new LaneClaim.HeadRowHandler());

    private StoreMappers() {}

    /** MyBatisSessions in which they are run. */
    public static MyBatisSessions over(DataSource dataSource) {
        return new MyBatisSessions(dataSource, FILES, ROWS);
    }
}
