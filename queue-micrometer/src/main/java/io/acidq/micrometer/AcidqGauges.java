package io.acidq.micrometer;

import io.acidq.QueueMisuseException;
import io.acidq.engine.Engine;
import io.acidq.telemetry.DatabaseState;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gauges of an engine, of which the values are sampled on a thread of its own: a scrape reads what is there and asks the database nothing. What is
 * not known is not a number, as is what is older than three periods. Covers the queues that the engine has used: see {@link Engine#knownQueues}. Thread-safe.
 *
 * <p>A sample costs each queue four plain reads, of which the largest ends after {@link io.acidq.admin.Backlog#MOST_COUNTED} rows of each table.
 */
public final class AcidqGauges implements AutoCloseable {

    /** Sampled so often unless set. */
    public static final Duration PERIOD = Duration.ofSeconds(15);

    private static final Logger log = LoggerFactory.getLogger(AcidqGauges.class);
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final int STALE_PERIODS = 3;

    private final Meters meters;
    private final SampledEngine engine;
    private final Duration period;
    private final LongSupplier nanoTime;
    private final Map<String, Sample> samples = new ConcurrentHashMap<>();
    private final Map<String, List<Gauge>> gauges = new HashMap<>();
    private volatile @Nullable Thread sampling;
    private boolean closed;

    /**
     * Gauges of one engine; {@link #start} registers them.
     *
     * @param name   the value of the tag {@code engine}, different for each engine of a process
     * @param period how often to sample, at least 100 ms. Too short: reads for nobody; too long: alarms are late
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
     * Begins to sample, now and then each period. Does nothing when it has been started.
     *
     * @throws QueueMisuseException when another engine of the same name has its gauges in the registry
     */
    public synchronized void start() {
        if (sampling != null) {
            return;
        }
        closed = false;
        registerStates();
        Thread starting = new Thread(this::run, "acidq-gauges");
        starting.setDaemon(true);
        sampling = starting;
        starting.start();
    }

    private void run() {
        try {
            while (sampling == Thread.currentThread()) { // after an end and a new start that is another
                sampleGuarded();
                Thread.sleep(period.toMillis());
            }
        } catch (InterruptedException e) {
            // the end
        }
    }

    /** In memory, and asked for at the scrape: an outage must not wait for a sample. */
    private void registerStates() {
        List<Gauge> states = new ArrayList<>();
        for (DatabaseState state : DatabaseState.values()) {
            states.add(meters.gauge(
                    AcidqMeter.DATABASE,
                    () -> engine.health().database() == state ? 1 : 0,
                    state.name().toLowerCase(Locale.ROOT)));
        }
        gauges.put("", states);
    }

    private void sampleGuarded() {
        try {
            sample();
        } catch (RuntimeException e) {
            log.debug("the gauges could not be sampled", e);
        }
    }

    /** Takes one sample of each queue. */
    void sample() {
        Map<String, QueueState> here =
                engine.queues().stream().collect(Collectors.toMap(QueueState::queue, Function.identity()));
        Set<String> queues = new TreeSet<>(engine.knownQueues());
        queues.addAll(here.keySet());
        for (String queue : queues) {
            Sample sample = new Sample(nanoTime.getAsLong(), here.get(queue), sampleDatabase(queue));
            samples.put(queue, sample);
            register(queue);
        }
    }

    /** Null while the database is away: asking would wait for it. */
    private Sample.@Nullable DatabaseSample sampleDatabase(String queue) {
        if (engine.health().database().isOutage()) {
            return null;
        }
        try {
            return new Sample.DatabaseSample(engine.backlog(queue), engine.isPaused(queue), engine.blockedKeys(queue));
        } catch (RuntimeException e) {
            log.debug("the backlog of queue {} could not be sampled", queue, e);
            return null;
        }
    }

    private synchronized void register(String queue) {
        if (!closed && !gauges.containsKey(queue)) { // a last sample may come after the end
            gauges.put(queue, QueueGauges.register(meters, queue, () -> latest(queue)));
        }
    }

    private @Nullable Sample latest(String queue) {
        Sample sample = samples.get(queue);
        boolean stale = sample == null
                || nanoTime.getAsLong() - sample.takenAt()
                        > period.multipliedBy(STALE_PERIODS).toNanos();
        return stale ? null : sample;
    }

    /** Ends the sampling and takes the gauges out of the registry. */
    @Override
    public synchronized void close() {
        Thread ending = sampling;
        sampling = null;
        closed = true;
        if (ending != null) {
            ending.interrupt();
        }
        gauges.values().forEach(all -> all.forEach(meters.registry()::remove));
        gauges.clear();
        samples.clear();
    }
}
