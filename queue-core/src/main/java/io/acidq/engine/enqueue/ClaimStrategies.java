package io.acidq.engine.enqueue;

import io.acidq.MessageRejectedException;
import io.acidq.QueueMisuseException;
import io.acidq.config.EngineConfig;
import io.acidq.store.ClaimStore;
import io.acidq.store.ClaimStrategy;
import io.acidq.store.Locking;
import io.acidq.store.QueueStore.QueueRow;
import io.acidq.telemetry.Telemetry;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** By which strategy each queue is claimed here: as it was set, else by lanes, unless the server was found unable to. Thread-safe. */
public final class ClaimStrategies {

    /** The quickest of those that ask for no lock but that of an UPDATE. */
    private static final ClaimStrategy FALLBACK = ClaimStrategy.BATCH_ID;

    private final EngineConfig config;
    private final Set<String> fellBack = ConcurrentHashMap.newKeySet();

    public ClaimStrategies(EngineConfig config) {
        this.config = config;
    }

    public ClaimStrategy of(String queue) {
        ClaimStrategy set = config.queue(queue).claimStrategy();
        if (set != null) {
            return set;
        }
        return fellBack.contains(queue) ? FALLBACK : ClaimStrategy.LANES;
    }

    /**
     * Probes the server and chooses for these queues.
     *
     * @throws QueueMisuseException when a queue without a setting holds messages with an ordering key and the server can not be trusted with
     *                              the default
     */
    public void choose(ClaimStore claims, Collection<QueueRow> queues, Telemetry telemetry) {
        Locking locking = claims.probeLocking();
        for (QueueRow queue : queues) {
            fellBack.remove(queue.name());
            if (config.queue(queue.name()).claimStrategy() == null && !locking.isSound()) {
                if (claims.holdsOrdered(queue.id())) {
                    throw new QueueMisuseException(refusal(queue.name(), locking));
                }
                fellBack.add(queue.name());
            }
            telemetry.claimsBy(queue.name(), of(queue.name()), locking);
        }
    }

    /** Refuses an ordering key where nobody here would run the message. */
    void check(String queue, @Nullable String orderingKey) {
        ClaimStrategy strategy = of(queue);
        if (orderingKey != null && !strategy.keepsOrder()) {
            throw new MessageRejectedException("queue '" + queue + "' is claimed by " + strategy
                    + " here, which takes no message with an ordering key, nor one with replace or debounce, whose key is one:"
                    + " enqueue it without, or set claimStrategy (" + setting(queue) + ") to LANES");
        }
    }

    private static String refusal(String queue, Locking locking) {
        String instead = locking.locks()
                ? "LANES: claims then wait for each other's locks, and keep the order"
                : FALLBACK + ", and it runs the others: nothing keeps the order on this server";
        return "queue '" + queue + "' holds messages with an ordering key, and this server " + locking.words()
                + ". Set claimStrategy (" + setting(queue) + ") to " + instead;
    }

    private static String setting(String queue) {
        return "acidq.queues[" + queue + "].claim-strategy";
    }
}
