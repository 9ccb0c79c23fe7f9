package io.acidq.engine.admin;

import io.acidq.admin.Diagnosis;
import io.acidq.admin.Nodes;
import io.acidq.store.InspectionStore;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.QueueSummary;
import io.acidq.store.InspectionStore.StoredReport;
import io.acidq.store.NodeReport.ServedQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lists the living nodes with their reports. Thread-safe. */
public final class NodeReader implements Nodes {

    private static final int MAX_QUEUES = 10_000;

    private final InspectionStore store;

    public NodeReader(InspectionStore store) {
        this.store = store;
    }

    @Override
    public List<NodeState> list() {
        Map<Integer, StoredReport> reports = new HashMap<>();
        store.nodeReports(MAX_NODES).forEach(report -> reports.put(report.node(), report));
        Map<Integer, String> names = new HashMap<>();
        for (QueueSummary queue : store.queues(MAX_QUEUES)) {
            names.put(queue.id(), queue.name());
        }
        return store.livingNodes(MAX_NODES).stream()
                .map(node -> state(node, names, reports.get(node.node())))
                .toList();
    }

    private static NodeState state(LivingNode node, Map<Integer, String> names, @Nullable StoredReport report) {
        Map<String, Integer> workers = new HashMap<>();
        node.workers().forEach((queue, count) -> {
            String name = names.get(queue);
            if (name != null) { // otherwise its row was removed
                workers.put(name, count);
            }
        });
        return new NodeState(
                new Diagnosis.Node(node.node(), true, node.host(), Optional.of(node.started())),
                node.version(),
                workers,
                Optional.ofNullable(report).map(NodeReader::report));
    }

    private static WorkReport report(StoredReport stored) {
        return new WorkReport(
                stored.at(),
                stored.age(),
                stored.report().queues().stream()
                        .map(queue -> work(queue, stored.age()))
                        .toList());
    }

    private static QueueWork work(ServedQueue queue, Duration age) {
        return new QueueWork(
                queue.queue(),
                queue.workers(),
                queue.running(),
                queue.unstarted(),
                queue.guards(),
                Optional.of(queue.suspect()).filter(id -> !id.isEmpty()),
                queue.runs().stream()
                        .map(run ->
                                new RunningMessage(run.id(), run.runningFor().plus(age)))
                        .toList());
    }
}
