package io.acidq.engine.enqueue;

import io.acidq.DeadHeadPolicy;
import io.acidq.EnqueueOptions;
import io.acidq.InputChecks;
import io.acidq.MessageRejectedException;
import io.acidq.Priority;
import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.QueueStore.StoredQueue;
import io.acidq.store.ServerStore.Locking;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this process has used, and the claim strategy of each. The row of a queue is read once: its number follows from its name and its number
 * of lanes never changes, so that they are right even after the tables were emptied or restored. Thread-safe.
 */
public final class QueueRegistry {

    /** The fastest strategy that needs no row locks other than those of an UPDATE. */
    private static final ClaimStrategy FALLBACK = ClaimStrategy.BATCH_ID;

    private static final int ALL_PRIORITY_LANES = 2 * Priority.LANES;

    private final QueueStore store;
    private final EngineConfig config;
    private final Map<String, QueueRow> rows = new ConcurrentHashMap<>();
    private final Set<Integer> withPriorities = ConcurrentHashMap.newKeySet();
    private final Set<String> withFallback = ConcurrentHashMap.newKeySet();

    public QueueRegistry(QueueStore store, EngineConfig config) {
        this.store = store;
        this.config = config;
    }

    /** Returns the queue with this name; creates it if it does not exist. */
    public QueueRow getOrCreate(String name) {
        QueueRow known = rows.get(InputChecks.checkQueue(name));
        if (known != null) {
            return known;
        }
        QueueRow row = store.openQueue(name);
        rows.put(name, row);
        return row;
    }

    /**
     * Returns the queue with this name as it is in the database now: this process may have read it before the tables were emptied.
     *
     * @throws QueueMisuseException when it does not exist
     */
    public QueueRow existing(String name) {
        return store.findQueue(InputChecks.checkQueue(name))
                .orElseThrow(() -> new QueueMisuseException("there is no queue '" + name
                        + "', because nothing was ever enqueued to it and no listener has served it: correct the name"
                        + " (Messages.queues lists the names, and so does the command 'acidq queues'). If acidq_queue was emptied, the next listener of the"
                        + " queue adds it again"));
    }

    /**
     * Creates the rows of these queues and of their lanes that are missing: the tables may have been emptied or restored after this process has read
     * them.
     *
     * @param found the rows as they are in the database now
     * @return what was missing, for people; empty when nothing was
     */
    public List<String> createMissing(Collection<QueueRow> queues, Collection<StoredQueue> found, Telemetry telemetry) {
        List<String> missing = new ArrayList<>();
        List<QueueRow> incomplete = new ArrayList<>();
        for (QueueRow queue : queues) {
            StoredQueue stored = found.stream()
                    .filter(row -> row.id() == queue.id() && row.name().equals(queue.name()))
                    .findFirst()
                    .orElse(null);
            int direct = config.queue(queue.name()).directHandoff() ? QueueStore.DIRECT_LANES : 0;
            if (stored != null && stored.priorityLanes() > 0) {
                withPriorities.add(queue.id());
            }
            int ofPriorities = hasPriorities(queue) ? ALL_PRIORITY_LANES : 0;
            int lanes = stored == null
                    ? queue.lanes() + direct + ofPriorities
                    : stored.missingLanes()
                            + Math.max(0, direct - stored.directLanes())
                            + Math.max(0, ofPriorities - stored.priorityLanes());
            if (lanes > 0) {
                incomplete.add(queue);
                missing.add(
                        stored == null
                                ? "queue '" + queue.name() + "' in acidq_queue"
                                : lanes + " lanes of queue '" + queue.name() + "' in acidq_lane");
            }
        }
        if (!incomplete.isEmpty()) {
            incomplete.replaceAll(queue -> store.openQueue(queue.name()));
            incomplete.forEach(queue -> rows.put(queue.name(), queue));
            store.openLanes(incomplete);
            incomplete.stream().filter(this::hasPriorities).forEach(store::reopenPriorityLanes);
            writeSettings(telemetry);
        }
        return missing;
    }

    /** Returns the priority of a message. Makes sure that the queue has lanes for it, with SQL for the first message that is not NORMAL. */
    Priority priority(QueueRow queue, EnqueueOptions options) {
        Priority priority = priority(queue.name(), options);
        if (priority != Priority.NORMAL && !hasPriorities(queue)) {
            store.openPriorityLanes(queue);
            withPriorities.add(queue.id());
        }
        return priority;
    }

    private Priority priority(String queue, EnqueueOptions options) {
        Priority own = options.priority();
        Priority preset = own == null ? config.queue(queue).priority() : own;
        return preset == null ? Priority.NORMAL : preset;
    }

    /** Rejects a message with an ordering key and a priority, of its own or by the default of the queue. */
    void checkPriority(String queue, EnqueueOptions options) {
        Priority.check(
                priority(queue, options),
                MessageKeys.orderingKey(options),
                options.priority() != null
                        ? "the priority of a message for queue '" + queue + "'"
                        : "the default priority of queue '" + queue + "' (" + setting(queue, "priority") + ")");
    }

    /** Returns whether this process has met a message of the queue that is not NORMAL, or lanes for such messages. */
    public boolean hasPriorities(QueueRow queue) {
        return withPriorities.contains(queue.id());
    }

    /** A search has found such a message. */
    public void foundPriority(QueueRow queue) {
        withPriorities.add(queue.id());
    }

    /** Returns the names of the queues that this process has used. */
    public Set<String> names() {
        return new TreeSet<>(rows.keySet());
    }

    /** Stores those settings of the queues that apply to all nodes. */
    public void writeSettings(Telemetry telemetry) {
        config.queues().forEach((queue, settings) -> {
            DeadHeadPolicy policy = settings.onDeadHead();
            if (policy != null && store.changeDeadHeadPolicy(getOrCreate(queue), policy)) {
                telemetry.deadHeadPolicyChanged(queue, policy);
            }
        });
    }

    /** Returns the claim strategy of a queue in this process: the configured one, or LANES, or the fallback for a server without sound locks. */
    public ClaimStrategy claimStrategy(String queue) {
        ClaimStrategy configured = config.queue(queue).claimStrategy();
        if (configured != null) {
            return configured;
        }
        return withFallback.contains(queue) ? FALLBACK : ClaimStrategy.LANES;
    }

    /**
     * Tests the locks of the server and chooses the claim strategies of these queues.
     *
     * @throws QueueMisuseException when a queue without a configured strategy has messages with an ordering key, and the server has no sound locks
     */
    public void chooseClaimStrategies(Store database, Collection<QueueRow> queues, Telemetry telemetry) {
        Locking locking = database.server().probeLocking();
        for (QueueRow queue : queues) {
            withFallback.remove(queue.name());
            if (config.queue(queue.name()).claimStrategy() == null && !locking.isSound()) {
                if (database.claims().hasOrderedMessages(queue.id())) {
                    throw new QueueMisuseException(refusal(queue.name(), locking));
                }
                withFallback.add(queue.name());
            }
            telemetry.claimStrategyChosen(queue.name(), claimStrategy(queue.name()), locking);
        }
    }

    /** Rejects a message with an ordering key if the claim strategy of the queue in this process ignores such messages. */
    void checkOrderingKey(String queue, @Nullable String orderingKey) {
        ClaimStrategy strategy = claimStrategy(queue);
        if (orderingKey != null && !strategy.keepsOrder()) {
            throw new MessageRejectedException("queue '" + queue + "' uses claim strategy " + strategy
                    + " in this process, which takes no message with an ordering key; replace and debounce use the message key as"
                    + " ordering key: enqueue without them, or set claimStrategy (" + setting(queue, "claim-strategy")
                    + ") to LANES");
        }
    }

    private static String refusal(String queue, Locking locking) {
        String instead = locking.locksRows()
                ? "LANES, which keeps the order: claims then wait for each other's locks"
                : FALLBACK
                        + " to run only messages without an ordering key: no strategy keeps the order on this server";
        return "queue '" + queue + "' holds messages with an ordering key, and this server " + locking.description()
                + ". Set claimStrategy (" + setting(queue, "claim-strategy") + ") to " + instead;
    }

    private static String setting(String queue, String name) {
        return "acidq.queues[" + queue + "]." + name;
    }
}
