package io.acidq.engine.enqueue;

import io.acidq.DeadHeadPolicy;
import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.QueueNames;
import io.acidq.config.EngineConfig;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Locking;
import io.acidq.store.QueueStore;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.store.Store;
import io.acidq.telemetry.Telemetry;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this process has used, and the strategy by which it claims from each. A queue's row never changes, so it is read once. Thread-safe.
 */
public final class QueueRegistry {

    /** The fastest strategy that needs no lock but that of an UPDATE. */
    private static final ClaimStrategy FALLBACK = ClaimStrategy.BATCH_ID;

    private final QueueStore store;
    private final EngineConfig config;
    private final Map<String, QueueRow> rows = new ConcurrentHashMap<>();
    private final Set<String> withFallback = ConcurrentHashMap.newKeySet();

    public QueueRegistry(QueueStore store, EngineConfig config) {
        this.store = store;
        this.config = config;
    }

    /** The queue of this name, created if it does not exist. */
    public QueueRow getOrCreate(String name) {
        QueueRow known = rows.get(QueueNames.check(name));
        if (known != null) {
            return known;
        }
        QueueRow opened = store.openQueue(name);
        rows.put(name, opened);
        return opened;
    }

    /**
     * The queue of this name.
     *
     * @throws QueueMisuseException when it does not exist
     */
    public QueueRow existing(String name) {
        QueueRow known = rows.get(QueueNames.check(name));
        return known != null
                ? known
                : store.findQueue(name)
                        .orElseThrow(() -> new QueueMisuseException("there is no queue '" + name
                                + "': nothing was ever enqueued to it, and no listener has served it"));
    }

    /** The names of the queues that this process has used. */
    public Set<String> names() {
        return new TreeSet<>(rows.keySet());
    }

    /** Writes the settings that hold for all nodes into the queues' rows. */
    public void writeSettings(Telemetry telemetry) {
        config.queues().forEach((queue, settings) -> {
            DeadHeadPolicy policy = settings.onDeadHead();
            if (policy != null && store.changeDeadHeadPolicy(getOrCreate(queue), policy)) {
                telemetry.deadHeadPolicyChanged(queue, policy);
            }
        });
    }

    /** The strategy by which this process claims from a queue: the configured one, else by lanes, else the fallback for a server without sound locks. */
    public ClaimStrategy claimStrategy(String queue) {
        ClaimStrategy configured = config.queue(queue).claimStrategy();
        if (configured != null) {
            return configured;
        }
        return withFallback.contains(queue) ? FALLBACK : ClaimStrategy.LANES;
    }

    /**
     * Probes the server's locks and chooses the strategy of these queues.
     *
     * @throws QueueMisuseException when a queue without a configured strategy holds messages with an ordering key and the server's locks are not sound
     *                              enough for the default
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

    /** Rejects a message with an ordering key for a queue whose strategy, in this process, never runs such messages. */
    void checkOrderingKey(String queue, @Nullable String orderingKey) {
        ClaimStrategy strategy = claimStrategy(queue);
        if (orderingKey != null && !strategy.keepsOrder()) {
            throw new MessageRejectedException("queue '" + queue + "' is claimed by " + strategy
                    + " here, which takes no message with an ordering key, nor one with replace or debounce, whose key is one:"
                    + " enqueue it without, or set claimStrategy (" + setting(queue) + ") to LANES");
        }
    }

    private static String refusal(String queue, Locking locking) {
        String instead = locking.locksRows()
                ? "LANES: claims then wait for each other's locks, and keep the order"
                : FALLBACK + ", and it runs the others: nothing keeps the order on this server";
        return "queue '" + queue + "' holds messages with an ordering key, and this server " + locking.description()
                + ". Set claimStrategy (" + setting(queue) + ") to " + instead;
    }

    private static String setting(String queue) {
        return "acidq.queues[" + queue + "].claim-strategy";
    }
}
