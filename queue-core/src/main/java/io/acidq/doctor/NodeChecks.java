package io.acidq.doctor;

import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.store.InspectionStore.QueueSummary;
import io.acidq.store.Store;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is examined of the nodes: whether they live, which queues they serve, and whether the pool has enough connections for their workers. */
final class NodeChecks {

    private NodeChecks() {}

    /** Whether nodes that count as living beat, and whether anybody frees what the dead had claimed. */
    record Nodes(Store store, NodeSample sample) implements DoctorCheck {

        @Override
        public void run(FindingCollector findings) {
            boolean alone = sample.living().isEmpty();
            sample.silent().forEach(n -> {
                String found = "node " + n.node() + " (" + n.host() + ", since " + n.started()
                        + ") counts as living and has written no heartbeat while it was watched";
                if (alone) {
                    findings.problem(
                            found,
                            "no other node is there to free what it had claimed: start an engine with listeners");
                } else {
                    findings.warning(
                            found,
                            "it hangs, or its process has ended: the other nodes declare it dead and free what it had claimed");
                }
            });
            List<Integer> owners = store.nodes().deadOwners();
            if (!owners.isEmpty()) {
                String found =
                        "claims of " + owners.stream().map(o -> "node " + o).collect(Collectors.joining(", "))
                                + ", which does not live, are not freed yet";
                if (alone) {
                    findings.problem(found, "no living node is there to free them: start an engine with listeners");
                } else {
                    findings.warning(
                            found, "a living node does it within moments; ask again, and see its log if they stay");
                }
            }
            findings.okIfNothing(
                    alone
                            ? "no node is registered as living"
                            : sample.living().size() + " living, the last of version "
                                    + sample.living()
                                            .get(sample.living().size() - 1)
                                            .version());
        }
    }

    /** Queues with messages that no living node serves. Of each only whether there is one message is read. */
    record Listeners(Store store, NodeSample sample) implements DoctorCheck {

        private static final int MOST_QUEUES = 1_000;

        @Override
        public void run(FindingCollector findings) {
            Set<Integer> served = sample.living().stream()
                    .map(LivingNode::workers)
                    .flatMap(w -> w.keySet().stream())
                    .collect(Collectors.toSet());
            List<QueueSummary> queues = store.inspection().queues(MOST_QUEUES);
            for (QueueSummary queue : queues) {
                if (!served.contains(queue.id()) && store.inspection().countUnclaimed(queue.id(), 1) > 0) {
                    findings.problem(
                            "queue '" + queue.name()
                                    + "' has messages that are due, and no living node has a listener of it",
                            "start an application with a listener of '" + queue.name()
                                    + "', or see that its name is spelled as the producer's");
                } else if (queue.paused()) {
                    findings.warning(
                            "queue '" + queue.name() + "' is paused", "resume it when what it was paused for is over");
                }
            }
            if (queues.size() == MOST_QUEUES) {
                findings.warning(
                        "only the first " + MOST_QUEUES + " queues were looked at", "look at the others one by one");
            }
            findings.okIfNothing("every queue with messages has a living listener");
        }
    }

    /** The connection pool beside what the workers of a node need. */
    record Pool(DoctorOptions options, NodeSample sample) implements DoctorCheck {

        @Override
        public void run(FindingCollector findings) {
            if (options.poolSize().isEmpty()) {
                findings.ok("the size of the application's pool is not known here");
                return;
            }
            int size = options.poolSize().getAsInt();
            Optional<LivingNode> node = options.node().isPresent()
                    ? sample.all().stream()
                            .filter(n -> n.node() == options.node().getAsInt())
                            .findFirst()
                    : sample.living().stream().max(Comparator.comparingInt(n -> need(n).withoutWaits()));
            if (node.isEmpty()) {
                findings.ok("the pool has " + size + " connections, and no node with listeners is there to need them");
                return;
            }
            compare(size, node.get(), findings);
        }

        private static void compare(int size, LivingNode node, FindingCollector findings) {
            PoolNeed need = need(node);
            int needed = need.withoutWaits();
            String advice = "enlarge it to " + needed
                    + " and what the application needs by itself, or lower the workers: see docs/en/configuration.md";
            int most = need.workersOfListeners().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
            if (size < need.minimum()) {
                findings.problem(
                        "the pool has " + size + " connections, and an engine with one worker needs " + need.minimum()
                                + " to start, run and stop",
                        advice);
            } else if (size < PoolNeed.minimumFor(most)) {
                findings.problem(
                        "the pool has " + size + " connections, and one listener of node " + node.node() + " has "
                                + most
                                + " workers, each with one of its own beside the heartbeat's: they can never all work",
                        advice);
            } else if (size < needed) {
                findings.warning(
                        "the pool has " + size + " connections; node " + node.node() + " needs up to " + needed
                                + ": threads wait for each other's",
                        advice);
            } else {
                findings.ok("the pool has " + size + " connections; node " + node.node() + " needs up to " + needed);
            }
        }

        private static PoolNeed need(LivingNode node) {
            return new PoolNeed(List.copyOf(node.workers().values()));
        }
    }

    /** The nodes that count as living, watched once in an examination until each has written a heartbeat, or the time is over. */
    static final class NodeSample {

        private static final int MOST_NODES = 1_000;
        private static final long POLL_MILLIS = 250;

        private final Store store;
        private final Duration patience;
        private @Nullable List<LivingNode> all;
        private final Map<Integer, Long> first = new HashMap<>();
        private final Map<Integer, Long> last = new HashMap<>();

        NodeSample(Store store, Duration patience) {
            this.store = store;
            this.patience = patience;
        }

        /** Those whose rows say that they live. */
        List<LivingNode> all() {
            List<LivingNode> known = all;
            if (known == null) {
                known = store.inspection().livingNodes(MOST_NODES);
                all = known;
                watch(known);
            }
            return known;
        }

        /** Those that wrote no heartbeat while they were watched; none when they were not. */
        List<LivingNode> silent() {
            return patience.isZero()
                    ? List.of()
                    : all().stream().filter(n -> !hasSentHeartbeat(n.node())).toList();
        }

        /** Those that live. */
        List<LivingNode> living() {
            List<LivingNode> silent = silent();
            return all().stream().filter(n -> !silent.contains(n)).toList();
        }

        private void watch(List<LivingNode> nodes) {
            nodes.forEach(n -> first.put(n.node(), n.heartbeats()));
            long began = System.nanoTime();
            try {
                while (nodes.stream().anyMatch(n -> !hasSentHeartbeat(n.node()))
                        && System.nanoTime() - began < patience.toNanos()) {
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                    store.inspection().livingNodes(MOST_NODES).forEach(n -> last.put(n.node(), n.heartbeats()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private boolean hasSentHeartbeat(int node) {
            Long before = first.get(node);
            Long after = last.get(node);
            return before != null && after != null && after > before;
        }
    }
}
