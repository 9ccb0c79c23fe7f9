package io.acidq.engine.maintenance;

import io.acidq.engine.loop.PeriodicTask;
import io.acidq.store.NodeReport;
import io.acidq.store.NodeReport.RunningMessage;
import io.acidq.store.NodeStore;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells other processes what this node does: its workers, its guards and its longest runs. Writes a report when it differs from the last one, at most every five seconds,
 * and none while nothing runs or changes.
 */
public final class NodeReporter implements PeriodicTask {

    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(5);

    private final NodeStore nodes;
    private final IntSupplier node;
    private final Supplier<NodeReport> report;
    private @Nullable NodeReport written;
    private int writtenNode;

    /**
     * Creates the task.
     *
     * @param node   returns the number of this node; 0 while it is not registered
     * @param report returns what the node does now
     */
    public NodeReporter(NodeStore nodes, IntSupplier node, Supplier<NodeReport> report) {
        this.nodes = nodes;
        this.node = node;
        this.report = report;
    }

    @Override
    public String name() {
        return "node-reporter";
    }

    @Override
    public Duration runOnce() {
        int number = node.getAsInt();
        NodeReport current = report.get();
        boolean isNew = number != writtenNode || !isSame(current, written);
        if (number != 0 && isNew && !(written == null && isIdle(current))) {
            nodes.writeReport(number, current);
            written = current;
            writtenNode = number;
        }
        return BETWEEN_REPORTS;
    }

    private static boolean isIdle(NodeReport report) {
        return report.queues().stream()
                .allMatch(each -> each.running() == 0
                        && each.unstarted() == 0
                        && each.guards().isEmpty());
    }

    /** Compares without the durations of the runs, which always differ: a reader adds the age of the report. */
    private static boolean isSame(NodeReport current, @Nullable NodeReport before) {
        return before != null && withoutDurations(current).equals(withoutDurations(before));
    }

    private static NodeReport withoutDurations(NodeReport report) {
        return new NodeReport(report.queues().stream()
                .map(each -> new NodeReport.ServedQueue(
                        each.queue(),
                        each.workers(),
                        each.running(),
                        each.unstarted(),
                        each.guards(),
                        each.suspect(),
                        each.runs().stream()
                                .map(run -> new RunningMessage(run.id(), Duration.ZERO))
                                .toList()))
                .toList());
    }

    /** Removes the report at the end of the node, if there is one. */
    public void remove() {
        List<Integer> reported = writtenNode == 0 ? List.of() : List.of(writtenNode);
        reported.forEach(nodes::removeReport);
        written = null;
        writtenNode = 0;
    }
}
