package io.acidq.mybatis.store;

import java.util.List;

/** The files that hold the statements of the store. */
public final class StoreMappers {

    public static final List<String> FILES = List.of(
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
            "Why.xml");

    private StoreMappers() {}
}
