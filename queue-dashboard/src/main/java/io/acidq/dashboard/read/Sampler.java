package io.acidq.dashboard.read;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Backlog;
import io.acidq.admin.Messages.QueueInfo;
import io.acidq.admin.Nodes.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sample of the queues of a database, which all viewers read. A request that finds it older than 2 seconds takes a new one; the others get the last one
 * meanwhile. One pass lists the queues and counts the messages of at most 25 of them: first of those that a viewer has open, then of those that were not counted
 * for the longest time. After a pass the sampler rests for 20 times as long as it took, so that it uses at most a twentieth of one connection however many viewers
 * there are. Without viewers it reads nothing. After an action the next request takes a new sample at once. Thread-safe.
 */
public final class Sampler {

    /** The most queues that are in the sample. */
    public static final int MAX_QUEUES = 1_000;

    private static final int MAX_COUNTED_QUEUES = 25;
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration VIEWED_WITHIN = Duration.ofSeconds(10);
    private static final int REST = 20;

    private final Database database;
    private final LongSupplier nanoTime;
    private final ReentrantLock pass = new ReentrantLock();
    private final Map<String, Long> viewedAt = new HashMap<>(); // guarded by itself
    private volatile @Nullable Sample last;
    private volatile long nextPass;
    private final AtomicLong actions = new AtomicLong();
    private final ReentrantLock nodePass = new ReentrantLock();
    private volatile @Nullable NodeSample nodes;
    private volatile long nextNodes;

    Sampler(Database database, LongSupplier nanoTime) {
        this.database = database;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns the sample, which may be some seconds old.
     *
     * @throws TransientQueueException when there is none yet, and the database cannot be read
     */
    public Sample sample() {
        Sample known = last;
        if (known != null && nanoTime.getAsLong() - nextPass < 0) {
            return known;
        }
        return refreshed(known);
    }

    /**
     * Returns the numbers of a queue that exists, and counts it first in the next passes. Reads it at once if it is new, has not been counted yet, or is beyond the
     * most queues of a sample.
     */
    public QueueSample queue(String name) {
        synchronized (viewedAt) {
            viewedAt.put(name, nanoTime.getAsLong());
        }
        QueueSample known = sample().queues().get(name);
        if (known != null && known.backlog() != null) {
            return known;
        }
        QueueInfo info = known != null
                ? known.info()
                : new QueueInfo(name, database.call(engine -> engine.control().isPaused(name)), List.of());
        return counted(info);
    }

    /** Makes the next request take a new sample: somebody has changed a queue. */
    public void expire() {
        actions.incrementAndGet();
        nextPass = nanoTime.getAsLong();
    }

    /**
     * Returns the living nodes with what they do, read at most every two seconds.
     *
     * @throws TransientQueueException when they are not known, and the database cannot be read
     */
    public NodeSample nodes() {
        NodeSample known = nodes;
        if (known != null && nanoTime.getAsLong() - nextNodes < 0) {
            return known;
        }
        if (!(known == null ? Database.lock(nodePass) : nodePass.tryLock())) {
            if (known == null) {
                throw Database.busy();
            }
            return known;
        }
        try {
            NodeSample taken =
                    new NodeSample(database.call(engine -> engine.nodes().list()), database.now());
            nodes = taken;
            nextNodes = nanoTime.getAsLong() + PERIOD.toNanos();
            return taken;
        } finally {
            nodePass.unlock();
        }
    }

    /** The last sample, however old; null when there is none. */
    public @Nullable Sample lastKnown() {
        return last;
    }

    /** The names of the queues in the last sample. */
    public Set<String> names() {
        Sample known = last;
        return known == null ? Set.of() : known.queues().keySet();
    }

    private Sample refreshed(@Nullable Sample known) {
        if (!(known == null ? Database.lock(pass) : pass.tryLock())) { // the first ones wait for the first sample
            if (known == null) {
                throw Database.busy();
            }
            return known;
        }
        try {
            Sample current = last;
            if (current != null && nanoTime.getAsLong() - nextPass < 0) {
                return current; // another thread has just taken it
            }
            long actionsBefore = actions.get();
            long start = nanoTime.getAsLong();
            Sample taken = take(current);
            long end = nanoTime.getAsLong();
            last = taken;
            nextPass = end + Math.max(PERIOD.toNanos(), REST * (end - start));
            if (actions.get() != actionsBefore) {
                nextPass = end; // the pass may not have seen the change
            }
            return taken;
        } finally {
            pass.unlock();
        }
    }

    private Sample take(@Nullable Sample previous) {
        List<QueueInfo> infos = database.queues(MAX_QUEUES);
        Map<String, QueueSample> before = previous == null ? Map.of() : previous.queues();
        Set<String> chosen = chosen(infos, before);
        Map<String, QueueSample> queues = new LinkedHashMap<>();
        for (QueueInfo info : infos) {
            QueueSample old = before.get(info.name());
            queues.put(info.name(), chosen.contains(info.name()) ? counted(info) : QueueSample.keep(info, old));
        }
        return new Sample(
                queues, infos.size() == MAX_QUEUES, database.now(), previous == null ? 1 : previous.version() + 1);
    }

    private QueueSample counted(QueueInfo info) {
        try {
            Backlog backlog = database.call(engine -> engine.backlog(info.name()));
            return new QueueSample(info, backlog, database.now());
        } catch (QueueMisuseException e) { // its row was removed since the list was read
            return new QueueSample(info, null, null);
        }
    }

    private Set<String> chosen(List<QueueInfo> infos, Map<String, QueueSample> before) {
        Set<String> watched = watched();
        List<QueueInfo> order = new ArrayList<>(infos);
        order.sort(Comparator.comparing((QueueInfo info) -> !watched.contains(info.name()))
                .thenComparing(info -> countedAt(before.get(info.name()))));
        return order.stream().limit(MAX_COUNTED_QUEUES).map(QueueInfo::name).collect(Collectors.toSet());
    }

    private static Instant countedAt(@Nullable QueueSample sample) {
        Instant at = sample == null ? null : sample.asOf();
        return at == null ? Instant.MIN : at;
    }

    private Set<String> watched() {
        long now = nanoTime.getAsLong();
        synchronized (viewedAt) {
            viewedAt.values().removeIf(at -> now - at > VIEWED_WITHIN.toNanos());
            return Set.copyOf(viewedAt.keySet());
        }
    }

    /**
     * The queues of a database.
     *
     * @param queues  by name, in the order of their names
     * @param cut     whether there may be more
     * @param asOf    when the list was read, by the database's clock
     * @param version increases with each pass
     */
    public record Sample(Map<String, QueueSample> queues, boolean cut, Instant asOf, long version) {}

    /**
     * The living nodes of a database.
     *
     * @param nodes by number
     * @param asOf  when they were read, by the database's clock
     */
    public record NodeSample(List<NodeState> nodes, Instant asOf) {}

    /**
     * A queue in the sample.
     *
     * @param info    its name, and who serves it
     * @param backlog its numbers; null if it has not been counted yet
     * @param asOf    when they were counted, by the database's clock; null with the backlog
     */
    public record QueueSample(
            QueueInfo info,
            @Nullable Backlog backlog,
            @Nullable Instant asOf) {

        static QueueSample keep(QueueInfo info, @Nullable QueueSample old) {
            return old == null ? new QueueSample(info, null, null) : new QueueSample(info, old.backlog(), old.asOf());
        }
    }
}
