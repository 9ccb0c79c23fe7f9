package io.acidq.admin;

import io.acidq.MessageId;
import io.acidq.TransientQueueException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lists the nodes of a database with what they do now, for operators. A node reports it every five seconds at most, when it has changed. Each call is a short read that
 * locks nothing. Thread-safe.
 */
public interface Nodes {

    /** The most nodes that {@link #list} returns. */
    int MAX_NODES = 1_000;

    /**
     * Lists the living nodes by number.
     *
     * @throws TransientQueueException when the database could not do it now
     */
    List<NodeState> list();

    /**
     * A living node.
     *
     * @param node    the node
     * @param version the version of AcidQ that it runs
     * @param workers how many handlers it may run at once, by the name of the queue
     * @param report  what it last reported; empty when it has not reported anything, because nothing ran
     */
    record NodeState(Diagnosis.Node node, String version, Map<String, Integer> workers, Optional<WorkReport> report) {

        public NodeState {
            workers = Map.copyOf(workers);
        }
    }

    /**
     * The work of a node, as it has reported it.
     *
     * @param at     when it was written, by the database's clock: nothing has changed since, or it is less than about five seconds old
     * @param age    how long ago that was
     * @param queues the queues that the node serves
     */
    record WorkReport(Instant at, Duration age, List<QueueWork> queues) {

        public WorkReport {
            queues = List.copyOf(queues);
        }
    }

    /**
     * The work of a node for one queue.
     *
     * @param queue    the name of the queue
     * @param workers  its workers in this node
     * @param running  how many messages run
     * @param unstarted how many are claimed and have not started
     * @param guards   the guards that stop the queue there or test, as texts
     * @param suspect  the message with crashes that the node runs alone
     * @param longestRuns the longest runs, at most 20, the longest first
     */
    record QueueWork(
            String queue,
            int workers,
            int running,
            int unstarted,
            List<String> guards,
            Optional<String> suspect,
            List<RunningMessage> longestRuns) {

        public QueueWork {
            guards = List.copyOf(guards);
            longestRuns = List.copyOf(longestRuns);
        }
    }

    /**
     * A message that runs.
     *
     * @param runningFor how long it has been running, as far as the report tells
     */
    record RunningMessage(MessageId id, Duration runningFor) {}
}
