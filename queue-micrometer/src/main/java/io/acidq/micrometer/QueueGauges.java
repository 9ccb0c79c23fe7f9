package io.acidq.micrometer;

import io.acidq.resilience.GuardState;
import io.micrometer.core.instrument.Gauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The gauges of one queue, over its latest sample: whoever scrapes asks nobody else. */
final class QueueGauges {

    private final Meters meters;
    private final String queue;
    private final Supplier<@Nullable Sample> latest;

    private QueueGauges(Meters meters, String queue, Supplier<@Nullable Sample> latest) {
        this.meters = meters;
        this.queue = queue;
        this.latest = latest;
    }

    /**
     * Registers them.
     *
     * @param latest the latest sample; null when there is none, or none that says anything about now
     */
    static List<Gauge> register(Meters meters, String queue, Supplier<@Nullable Sample> latest) {
        return new QueueGauges(meters, queue, latest).register();
    }

    private List<Gauge> register() {
        List<Gauge> gauges = new ArrayList<>();
        gauges.add(gauge(AcidqMeter.WORKERS, Sample.here(q -> q.workers())));
        gauges.add(gauge(AcidqMeter.RUNNING, Sample.here(q -> q.running())));
        gauges.add(gauge(AcidqMeter.CLAIMED, Sample.here(q -> q.waiting())));
        gauges.add(gauge(AcidqMeter.SUSPECT, Sample.here(q -> q.suspect().isPresent() ? 1 : 0)));
        for (GuardState.Kind kind : GuardState.Kind.values()) {
            gauges.add(gauge(
                    AcidqMeter.GUARD_STOPS,
                    Sample.here(q -> q.guards().stream().anyMatch(g -> stops(g, kind)) ? 1 : 0),
                    kind.name().toLowerCase(Locale.ROOT)));
        }
        gauges.add(gauge(AcidqMeter.PAUSED, Sample.there(t -> t.paused() ? 1 : 0)));
        gauges.add(gauge(AcidqMeter.BACKLOG, Sample.there(t -> t.backlog().ready()), "ready"));
        gauges.add(gauge(AcidqMeter.BACKLOG, Sample.there(t -> t.backlog().running()), "running"));
        gauges.add(gauge(AcidqMeter.BACKLOG, Sample.there(t -> t.backlog().waiting()), "waiting"));
        gauges.add(gauge(AcidqMeter.BACKLOG, Sample.there(t -> t.backlog().scheduled()), "scheduled"));
        gauges.add(gauge(AcidqMeter.BACKLOG, Sample.there(t -> t.backlog().dead()), "dead"));
        gauges.add(gauge(AcidqMeter.COMPLETE, Sample.there(t -> t.backlog().isComplete() ? 1 : 0)));
        gauges.add(gauge(AcidqMeter.OLDEST, Sample.there(Sample.DatabaseSample::oldestSeconds)));
        gauges.add(gauge(AcidqMeter.BLOCKED_KEYS, Sample.there(t -> t.blocked())));
        return gauges;
    }

    private static boolean stops(GuardState guard, GuardState.Kind kind) {
        return guard.kind() == kind && guard.status() == GuardState.Status.STOPS;
    }

    private Gauge gauge(AcidqMeter meter, ToDoubleFunction<Sample> value, String... more) {
        String[] tags = new String[more.length + 1];
        tags[0] = queue;
        System.arraycopy(more, 0, tags, 1, more.length);
        return meters.gauge(meter, () -> value(value), tags);
    }

    private double value(ToDoubleFunction<Sample> value) {
        Sample sample = latest.get();
        return sample == null ? Double.NaN : value.applyAsDouble(sample);
    }
}
