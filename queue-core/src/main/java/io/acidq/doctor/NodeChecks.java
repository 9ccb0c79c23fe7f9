package io.acidq.doctor;

import io.acidq.Plural;
import io.acidq.doctor.Doctor.FindingCollector;
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

/**
 * The checks of the nodes: whether they are alive, which queues they serve, and whether the pool has enough connections for their workers. The nodes
 * are watched once, by the first check that needs them, until each has written a heartbeat or the time is over.
 */
final class NodeChecks {

    private static final int MAX_QUEUES = 1_000;
    private static final int MAX_NODES = 1_000;
    private static final long POLL_MILLIS = 250;
    private static final Duration MAX_TIME_TO_MOVE = Duration.ofMinutes(1);

    private final Store store;
    private final DoctorOptions options;
    private @Nullable List<LivingNode> registered;
    private final Map<Integer, Long> firstHeartbeats = new HashMap<>();
    private final Map<Integer, Long> lastHeartbeats = new HashMap<>();

    NodeChecks(Store store, DoctorOptions options) {
        this.store = store;
        this.options = options;
    }

    /** Checks that the nodes that are registered as alive write heartbeats, and that the claims of dead and stopped nodes are freed. */
    void nodes(FindingCollector findings) {
        List<LivingNode> living = living();
        boolean noLivingNode = living.isEmpty();
        silent().forEach(n -> {
            String found = "node " + n.node() + " (" + n.host() + ", since " + n.started()
                    + ") is registered as alive and wrote no heartbeat while the doctor watched it";
            if (noLivingNode) {
                findings.problem(
                        found + ", and no other node is alive to free its messages", "start an engine with listeners");
            } else {
                findings.warning(
                        found + ": it hangs, or its process has ended",
                        "wait until the other nodes declare it dead and free its messages");
            }
        });
        List<Integer> owners = store.nodes().endedOwners();
        if (!owners.isEmpty()) {
            String found = "messages are still claimed by nodes that have ended: "
                    + owners.stream().map(o -> "node " + o).collect(Collectors.joining(", "));
            if (noLivingNode) {
                findings.problem(found + "; no node is alive to free them", "start an engine with listeners");
            } else {
                findings.warning(
                        found + "; a living node frees them within seconds",
                        "run the doctor again, and look into the logs of the living nodes if this does not change");
            }
        }
        findings.okIfNothing(
                noLivingNode
                        ? "no node is registered as alive"
                        : Plural.of(living.size(), "node") + (living.size() == 1 ? " is" : " are")
                                + " alive, the last one with version "
                                + living.get(living.size() - 1).version());
    }

    /**
     * Finds queues with due messages that no living node serves, or whose due messages are not moved into their lanes. Reads at most one message of each
     * queue.
     */
    void listeners(FindingCollector findings) {
        Set<Integer> served =
                living().stream().flatMap(n -> n.workers().keySet().stream()).collect(Collectors.toSet());
        List<QueueSummary> queues = store.inspection().queues(MAX_QUEUES);
        for (QueueSummary queue : queues) {
            boolean isServed = served.contains(queue.id());
            if (queue.paused()) {
                findings.warning(
                        "queue '" + queue.name() + "' is paused: "
                                + (hasDueMessages(queue) ? "it has due messages, which wait" : "its messages wait")
                                + (isServed ? "" : "; no living node has a listener for it either"),
                        "resume it when the reason for the pause is over");
            } else if (isServed) {
                checkMoves(queue, findings);
            } else if (hasDueMessages(queue)) {
                findings.problem(
                        "queue '" + queue.name() + "' has due messages, and no "
                                + (living().isEmpty() ? "node is alive" : "living node has a listener for it"),
                        "start an application with a listener for '" + queue.name()
                                + "', or check that producer and listener use the same name");
            }
        }
        if (queues.size() == MAX_QUEUES) {
            findings.warning(
                    "only the first " + MAX_QUEUES + " queues were checked", "check the other queues one by one");
        } else {
            queuesWithoutRow(queues.stream().map(QueueSummary::id).collect(Collectors.toSet()), findings);
        }
        findings.okIfNothing("every queue with due messages has a living listener");
    }

    private boolean hasDueMessages(QueueSummary queue) {
        return store.inspection().countUnclaimed(queue.id(), 1) > 0;
    }

    /** Checks that the due-message mover of a living node moves scheduled messages into their lanes when they are due. */
    private void checkMoves(QueueSummary queue, FindingCollector findings) {
        Duration overdue = store.inspection().oldestToMove(queue.id());
        if (overdue != null && overdue.compareTo(MAX_TIME_TO_MOVE) > 0) {
            findings.problem(
                    "queue '" + queue.name() + "' has a scheduled message that has been due for " + overdue.toSeconds()
                            + " s, and no node has moved it into its lane",
                    "look for failures of the task due-message-mover in the logs of the living nodes, and for a transaction that locks the row of '"
                            + queue.name() + "' in acidq_queue; with acidq.poll.max-interval above "
                            + MAX_TIME_TO_MOVE.toSeconds() + " s, wait for that time first");
        }
    }

    private void queuesWithoutRow(Set<Integer> known, FindingCollector findings) {
        Optional<Integer> next = store.inspection().nextQueueWithMessages(0);
        while (next.isPresent()) {
            int number = next.get();
            if (!known.contains(number)) {
                findings.problem(
                        "there are messages of a queue with the number " + number
                                + ", and acidq_queue has no such row: it was emptied or restored while processes enqueued",
                        "start an application with a listener for the queue, which adds the row: the number is"
                                + " CONV(LEFT(SHA2(name, 256), 8), 16, 10) & 2147483647");
                return;
            }
            next = store.inspection().nextQueueWithMessages(number);
        }
    }

    /** Compares the connection pool with the requirements of a node. */
    void pool(FindingCollector findings) {
        if (options.poolSize().isEmpty()) {
            findings.ok("the size of the application's pool is not known to the doctor");
            return;
        }
        int size = options.poolSize().getAsInt();
        Optional<LivingNode> node = options.node().isPresent()
                ? registered().stream()
                        .filter(n -> n.node() == options.node().getAsInt())
                        .findFirst()
                : living().stream()
                        .max(Comparator.comparingInt(n -> requirements(n).withoutWaits()));
        node.ifPresentOrElse(
                n -> comparePool(size, n, findings),
                () -> findings.ok(
                        "the pool has " + Plural.of(size, "connection") + ", and no node with listeners uses it"));
    }

    private static void comparePool(int size, LivingNode node, FindingCollector findings) {
        PoolRequirements requirements = requirements(node);
        int enough = requirements.withoutWaits();
        int maxWorkers = requirements.workersOfListeners().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        String found = "the pool has " + Plural.of(size, "connection");
        String advice = "enlarge it to " + enough + " (" + requirements.parts()
                + ") plus what the application itself needs, or lower the concurrency of the listeners; see docs/en/configuration.md";
        if (size < requirements.minimum()) {
            findings.problem(
                    found + ", and an engine with one worker needs " + requirements.minimum()
                            + " to start, run and stop",
                    advice);
        } else if (size < PoolRequirements.minimumFor(maxWorkers)) {
            findings.problem(
                    found + ", and one listener of node " + node.node() + " has " + maxWorkers
                            + " workers: each needs a connection besides that of the heartbeat, so they can never all work",
                    advice);
        } else if (size < enough) {
            findings.warning(
                    found + ", and node " + node.node() + " needs up to " + enough
                            + ": its threads wait for connections",
                    advice);
        } else {
            findings.ok(found + ", and node " + node.node() + " needs up to " + enough);
        }
    }

    private static PoolRequirements requirements(LivingNode node) {
        return new PoolRequirements(List.copyOf(node.workers().values()));
    }

    /** Returns the nodes that are registered as alive. */
    private List<LivingNode> registered() {
        List<LivingNode> nodes = registered;
        if (nodes == null) {
            nodes = store.inspection().livingNodes(MAX_NODES);
            registered = nodes;
            watch(nodes);
        }
        return nodes;
    }

    /** Returns the registered nodes that wrote no heartbeat while they were watched; empty when they were not watched. */
    private List<LivingNode> silent() {
        return options.watchTime().isZero()
                ? List.of()
                : registered().stream().filter(n -> !hasSentHeartbeat(n)).toList();
    }

    private List<LivingNode> living() {
        List<LivingNode> silent = silent();
        return registered().stream().filter(n -> !silent.contains(n)).toList();
    }

    private void watch(List<LivingNode> nodes) {
        nodes.forEach(n -> firstHeartbeats.put(n.node(), n.heartbeats()));
        long start = System.nanoTime();
        try {
            while (nodes.stream().anyMatch(n -> !hasSentHeartbeat(n))
                    && System.nanoTime() - start < options.watchTime().toNanos()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                store.inspection().livingNodes(MAX_NODES).forEach(n -> lastHeartbeats.put(n.node(), n.heartbeats()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasSentHeartbeat(LivingNode node) {
        Long before = firstHeartbeats.get(node.node());
        Long after = lastHeartbeats.get(node.node());
        return before != null && after != null && after > before;
    }
}
