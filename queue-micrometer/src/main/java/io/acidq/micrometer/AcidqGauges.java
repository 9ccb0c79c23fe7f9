package io.acidq.micrometer;

import io.acidq.QueueMisuseException;
import io.acidq.admin.Backlog;
import io.acidq.engine.Engine;
import io.acidq.resilience.GuardState;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.EngineHealth.DatabaseState;
import io.acidq.telemetry.QueueState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gauges of an engine. Their values are sampled periodically on a separate thread, so that a scrape does not query the database. A value
 * that is unknown, or older than three periods, is NaN. Covers the queues that the engine has used: see {@link Engine#knownQueues}. Thread-safe.
 *
 * <p>A sample costs four plain reads per queue. The largest of them stops after {@link Backlog#MAX_COUNTED} rows of each table.
 */
public final class AcidqGauges implements AutoCloseable {

    /** The default sampling period. */
    public static final Duration PERIOD = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(AcidqGauges.class);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final int STALE_PERIODS = 3;
    private static final int MAX_COUNTED_BLOCKED_KEYS = 1_000;

    private final Meters meters;
    private final SampledEngine engine;
    private final Duration period;
    private final LongSupplier nanoTime;
    private final Map<String, Sample> samples = new ConcurrentHashMap<>();
    private final Map<String, List<Gauge>> gauges = new HashMap<>();
    private volatile @Nullable Thread sampler;
    private boolean closed;

    /**
     * Creates the gauges of one engine; {@link #start} registers them.
     *
     * @param name   the value of the tag {@code engine}, different for each engine of a process
     * @param period how often to sample, at least 100 ms. Too short: needless reads. Too long: alarms are late
     */
    public AcidqGauges(MeterRegistry registry, String name, Engine engine, Duration period) {
        this(new Meters(registry, name), SampledEngine.of(engine), period, System::nanoTime);
    }

    AcidqGauges(Meters meters, SampledEngine engine, Duration period, LongSupplier nanoTime) {
        if (period.compareTo(SHORTEST) < 0) {
            throw new QueueMisuseException("the period of the gauges must be at least 100 ms, was " + period);
        }
        this.meters = meters;
        this.engine = engine;
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /**
     * Starts to sample: the first time at once, and then once per period. Does nothing if it is started already.
     *
     * @throws QueueMisuseException if the registry already has the gauges of an engine with this name
     */
    public synchronized void start() {
        if (sampler != null) {
            return;
        }
        closed = false;
        registerDatabaseStates();
        Thread starting = new Thread(this::run, "acidq-gauges");
        starting.setDaemon(true);
        sampler = starting;
        starting.start();
    }

    private void run() {
        try {
            while (sampler == Thread.currentThread()) { // a restart after close() sets another thread
                try {
                    sample();
                } catch (RuntimeException e) {
                    log.debug("the gauges could not be sampled", e);
                }
                Thread.sleep(period.toMillis());
            }
        } catch (InterruptedException e) {
            // close() ends the thread
        }
    }

    /** Registers the states of the database. They are in memory and read at the scrape, so an outage shows at once. */
    private void registerDatabaseStates() {
        List<Gauge> states = new ArrayList<>();
        for (DatabaseState state : DatabaseState.values()) {
            states.add(meters.gauge(
                    AcidqMeter.DATABASE,
                    () -> engine.health().database() == state ? 1 : 0,
                    state.name().toLowerCase(Locale.ROOT)));
        }
        gauges.put("", states);
    }

    /** Takes one sample of each queue. */
    void sample() {
        Map<String, QueueState> local =
                engine.queues().stream().collect(Collectors.toMap(QueueState::queue, Function.identity()));
        Set<String> queues = new TreeSet<>(engine.knownQueues());
        queues.addAll(local.keySet());
        for (String queue : queues) {
            samples.put(queue, new Sample(nanoTime.getAsLong(), local.get(queue), sampleDatabase(queue)));
            register(queue);
        }
    }

    /** Returns null during an outage, when a query would block. */
    private @Nullable DatabaseSample sampleDatabase(String queue) {
        if (engine.health().database().isOutage()) {
            return null;
        }
        try {
            return new DatabaseSample(engine.backlog(queue), engine.isPaused(queue), engine.blockedKeys(queue));
        } catch (RuntimeException e) {
            log.debug("the backlog of queue {} could not be sampled", queue, e);
            return null;
        }
    }

    private synchronized void register(String queue) {
        if (closed || gauges.containsKey(queue)) { // close() does not wait for a sample that is being taken
            return;
        }
        List<Gauge> all = new ArrayList<>();
        gauges.put(queue, all);
        all.add(local(AcidqMeter.WORKERS, queue, q -> q.workers()));
        all.add(local(AcidqMeter.RUNNING, queue, q -> q.running()));
        all.add(local(AcidqMeter.UNSTARTED, queue, q -> q.unstarted()));
        all.add(local(AcidqMeter.SUSPECT, queue, q -> q.suspect().isPresent() ? 1 : 0));
        for (GuardState.Kind kind : GuardState.Kind.values()) {
            all.add(local(
                    AcidqMeter.GUARD_STOPS,
                    queue,
                    q -> q.guards().stream().anyMatch(g -> g.kind() == kind && g.status() == GuardState.Status.STOPS)
                            ? 1
                            : 0,
                    kind.name().toLowerCase(Locale.ROOT)));
        }
        all.add(database(AcidqMeter.PAUSED, queue, d -> d.paused() ? 1 : 0));
        all.add(database(AcidqMeter.BACKLOG, queue, d -> d.backlog().ready(), "ready"));
        all.add(database(AcidqMeter.BACKLOG, queue, d -> d.backlog().running(), "running"));
        all.add(database(AcidqMeter.BACKLOG, queue, d -> d.backlog().waiting(), "waiting"));
        all.add(database(AcidqMeter.BACKLOG, queue, d -> d.backlog().scheduled(), "scheduled"));
        all.add(database(AcidqMeter.BACKLOG, queue, d -> d.backlog().dead(), "dead"));
        all.add(database(AcidqMeter.COMPLETE, queue, d -> d.backlog().isComplete() ? 1 : 0));
        all.add(database(
                AcidqMeter.OLDEST,
                queue,
                d -> d.backlog().oldest().map(age -> age.toNanos() / 1e9).orElse(0.0)));
        all.add(database(AcidqMeter.BLOCKED_KEYS, queue, d -> d.blockedKeys()));
    }

    /** A gauge of what the engine knows in memory; 0 if it does not serve the queue. */
    private Gauge local(AcidqMeter meter, String queue, ToDoubleFunction<QueueState> value, String... tags) {
        return gauge(meter, queue, s -> s.local() == null ? 0 : value.applyAsDouble(s.local()), tags);
    }

    /** A gauge of what is in the database; NaN if that is unknown. */
    private Gauge database(AcidqMeter meter, String queue, ToDoubleFunction<DatabaseSample> value, String... tags) {
        return gauge(meter, queue, s -> s.database() == null ? Double.NaN : value.applyAsDouble(s.database()), tags);
    }

    private Gauge gauge(AcidqMeter meter, String queue, ToDoubleFunction<Sample> value, String... tags) {
        Supplier<Number> latest = () -> {
            Sample sample = samples.get(queue);
            return sample == null || isStale(sample) ? Double.NaN : value.applyAsDouble(sample);
        };
        return meters.gauge(
                meter, latest, Stream.concat(Stream.of(queue), Stream.of(tags)).toArray(String[]::new));
    }

    private boolean isStale(Sample sample) {
        return nanoTime.getAsLong() - sample.takenAt()
                > period.multipliedBy(STALE_PERIODS).toNanos();
    }

    /** Stops to sample, and removes the gauges from the registry. */
    @Override
    public synchronized void close() {
        Thread ending = sampler;
        sampler = null;
        closed = true;
        if (ending != null) {
            ending.interrupt();
        }
        gauges.values().forEach(all -> all.forEach(meters.registry()::remove));
        gauges.clear();
        samples.clear();
    }

    /**
     * A queue at one moment.
     *
     * @param takenAt  when, by the monotonic clock
     * @param local    the queue in this engine; null if the engine does not serve it
     * @param database the queue in the database; null if that is unknown
     */
    private record Sample(
            long takenAt,
            @Nullable QueueState local,
            @Nullable DatabaseSample database) {}

    private record DatabaseSample(Backlog backlog, boolean paused, int blockedKeys) {}

    /** The part of an engine that is sampled; tests implement it. */
    interface SampledEngine {

        EngineHealth health();

        Set<String> knownQueues();

        List<QueueState> queues();

        Backlog backlog(String queue);

        boolean isPaused(String queue);

        int blockedKeys(String queue);

        static SampledEngine of(Engine engine) {
            return new SampledEngine() {
                @Override
                public EngineHealth health() {
                    return engine.health();
                }

                @Override
                public Set<String> knownQueues() {
                    return engine.knownQueues();
                }

                @Override
                public List<QueueState> queues() {
                    return engine.queues();
                }

                @Override
                public Backlog backlog(String queue) {
                    return engine.backlog(queue);
                }

                @Override
                public boolean isPaused(String queue) {
                    return engine.control().isPaused(queue);
                }

                @Override
                public int blockedKeys(String queue) {
                    return engine.blockedKeys()
                            .list(queue, MAX_COUNTED_BLOCKED_KEYS)
                            .size();
                }
            };
        }
    }
}
