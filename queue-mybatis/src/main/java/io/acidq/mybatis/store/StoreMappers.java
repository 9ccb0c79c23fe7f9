package io.acidq.mybatis.store;

import java.util.List;

/** The files that hold the statements of the store. */
public final class StoreMappers {

    public static final List<String> FILES = List.of(
            "Fragments.xml",
            "Session.xml",
            "Queues.xml",
            "Enqueue.xml",
            "Keys.xml",
            "Claims.xml",
            "Commits.xml",
            "Ends.xml",
            "Schedule.xml",
            "Nodes.xml",
            "DeadLetters.xml",
            "Audit.xml",
            "Inbox.xml",
            "Retention.xml");

    private StoreMappers() {}
}
