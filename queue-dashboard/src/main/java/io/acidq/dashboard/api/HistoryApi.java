package io.acidq.dashboard.api;

import io.acidq.admin.History;
import io.acidq.admin.History.Gauges;
import io.acidq.admin.History.Histogram;
import io.acidq.admin.History.HistoryPoint;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.read.RecentHistory;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The requests for the history of the engines, from which charts are drawn. */
final class HistoryApi {

    private static final int DEFAULT_MINUTES = 360;

    /** The series, each with its value of a slot. A count is 0 in a slot without a row, and another value is null. */
    private static final Map<String, Function<HistoryPoint, @Nullable Object>> SERIES = series();

    private static final Set<String> COUNTS =
            Set.of("enqueued", "done", "retried", "dead", "cancelled", "requeued", "crashed", "replayed", "discarded");

    private static Map<String, Function<HistoryPoint, @Nullable Object>> series() {
        Map<String, Function<HistoryPoint, @Nullable Object>> all = new LinkedHashMap<>();
        all.put("enqueued", HistoryPoint::enqueued);
        all.put("done", HistoryPoint::done);
        all.put("retried", HistoryPoint::retried);
        all.put("dead", HistoryPoint::dead);
        all.put("cancelled", HistoryPoint::cancelled);
        all.put("requeued", HistoryPoint::requeued);
        all.put("crashed", HistoryPoint::crashed);
        all.put("replayed", HistoryPoint::replayed);
        all.put("discarded", HistoryPoint::discarded);
        for (int percent : new int[] {50, 95, 99}) {
            all.put("runP" + percent, point -> quantile(point.runs(), percent));
        }
        for (int percent : new int[] {50, 95, 99}) {
            all.put("lagP" + percent, point -> quantile(point.lags(), percent));
        }
        all.put("ready", point -> gauge(point, Gauges::ready));
        all.put("waiting", point -> gauge(point, Gauges::waiting));
        all.put("scheduled", point -> gauge(point, Gauges::scheduled));
        all.put("deadLetters", point -> gauge(point, Gauges::dead));
        all.put("oldest", point -> gauge(point, gauges -> gauges.oldest().toSeconds()));
        return all;
    }

    private static @Nullable Object quantile(Histogram histogram, int percent) {
        OptionalDouble millis = histogram.quantile(percent / 100.0);
        return millis.isPresent() ? Math.round(millis.getAsDouble()) : null;
    }

    private static @Nullable Object gauge(HistoryPoint point, Function<Gauges, Long> value) {
        return point.gauges().map(value).orElse(null);
    }

    List<Route> routes() {
        return List.of(Route.get(
                Api.V1 + "history",
                Permission.VIEW,
                Scope.QUEUE_IF_GIVEN,
                this::history,
                "queue",
                "series",
                "range",
                "since",
                "until",
                "step"));
    }

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration HOUR = Duration.ofHours(1);

    private Answer history(Call call) {
        Parameters parameters = call.parameters();
        Set<String> series = series(parameters.optional("series"));
        Set<String> queues = queues(call);
        Instant now = call.database().now();
        Instant wantedEnd = parameters.time("until");
        Instant until = wantedEnd == null || wantedEnd.isAfter(now) ? now : wantedEnd;
        Instant since = since(parameters, until);
        Duration step = step(parameters, queues.size(), now, since, until);
        Instant start = slotOf(since, step);
        Instant end = end(now, until, step);
        List<HistoryPoint> points = start.isBefore(end) ? read(call, queues, step, start, end) : List.of();
        Map<String, Object> answer = Api.answer(call);
        answer.put("since", start.toString());
        answer.put("until", (start.isBefore(end) ? end : start).toString());
        answer.put("step", step.toSeconds());
        answer.putAll(values(points, series, step, start, end));
        return Answer.polled(answer, series + " " + step + " " + start + " " + end + " " + points.hashCode());
    }

    private static List<HistoryPoint> read(Call call, Set<String> queues, Duration step, Instant start, Instant end) {
        long slots = slots(start, end, step);
        if (slots > History.MAX_POINTS) {
            throw RequestException.invalid("a history has at most " + History.MAX_POINTS + " slots, and this range has "
                    + slots + " of " + step.toMinutes() + " minutes: leave 'step' out, or set a shorter range");
        }
        if (slots * Math.max(1, step.toHours()) > maxRows(queues.size())) {
            throw RequestException.invalid("a history of " + queues.size() + " queues reaches over at most "
                    + maxRows(queues.size()) * Math.min(60, step.toMinutes()) / 60
                    + " hours in steps of " + Math.min(60, step.toMinutes())
                    + " minutes: set a shorter range, or ask for one queue");
        }
        return call.database().history().read(queues, step, start, end);
    }

    private static Set<String> series(@Nullable String wanted) {
        if (wanted == null) {
            return SERIES.keySet();
        }
        Set<String> names = new LinkedHashSet<>(List.of(wanted.split(",", -1)));
        for (String name : names) {
            if (!SERIES.containsKey(name)) {
                throw RequestException.invalid(
                        "there is no series '" + name + "'; there are: " + String.join(", ", SERIES.keySet()));
            }
        }
        return names;
    }

    /** The queue of the request, or all that the user may see. */
    private static Set<String> queues(Call call) {
        if (call.parameters().has("queue")) {
            return Set.of(Api.existingQueue(call));
        }
        Set<String> queues =
                new LinkedHashSet<>(call.database().sampler().sample().queues().keySet());
        queues.removeIf(queue -> !call.sees(queue));
        return queues;
    }

    private static Instant since(Parameters parameters, Instant until) {
        Instant since = parameters.time("since");
        int max = (int) RecentHistory.longest().toMinutes();
        int minutes = parameters.number("range", DEFAULT_MINUTES, 5, max);
        if (since == null) {
            return until.minus(Duration.ofMinutes(minutes));
        }
        if (!since.isBefore(until)) {
            throw RequestException.invalid("the parameter 'since' must be before 'until' and before now, was " + since);
        }
        if (Duration.between(since, until).toMinutes() > max) {
            throw RequestException.invalid("'since' and 'until' must not be further apart than " + max / 1_440
                    + " days, were " + since + " and " + until);
        }
        return since;
    }

    /** Returns the end of the last slot that is in the range and complete. */
    private static Instant end(Instant now, Instant until, Duration step) {
        Instant end = slotOf(until.plus(step).minusNanos(1), step);
        Instant complete = slotOf(now.minus(RecentHistory.COMPLETE_AFTER), step);
        return end.isAfter(complete) ? complete : end;
    }

    private static Duration step(Parameters parameters, int queues, Instant now, Instant since, Instant until) {
        int minutes = parameters.number("step", 0, 1, 1_440);
        if (minutes == 0) {
            return stepFor(queues, now, since, until);
        }
        if (minutes != 1 && minutes != 10 && minutes % 60 != 0) {
            throw RequestException.invalid(
                    "the parameter 'step' must be 1, 10 or a multiple of 60 minutes, was '" + minutes + "'");
        }
        return Duration.ofMinutes(minutes);
    }

    /** The shortest step with few enough slots, and with few enough rows: each queue has one for each minute, ten minutes or hour. */
    static Duration stepFor(int queues, Instant now, Instant since, Instant until) {
        Duration step = History.stepFor(now, since, until);
        while (slots(slotOf(since, step), end(now, until, step), step) // a range that begins within a slot has one more
                > (step.toHours() > 0 ? History.MAX_POINTS : Math.min(History.MAX_POINTS, maxRows(queues)))) {
            step = step.toHours() > 0 ? step.plusHours(1) : step.toMinutes() == 1 ? TEN_MINUTES : HOUR;
        }
        return step;
    }

    private static int maxRows(int queues) {
        return History.MAX_ROWS / Math.max(1, queues);
    }

    private static long slots(Instant start, Instant end, Duration step) {
        return Duration.between(start, end).toMinutes() / step.toMinutes();
    }

    private static Instant slotOf(Instant at, Duration step) {
        long seconds = step.toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
    }

    /** Returns the times of all slots, and a value for each of them in each series. */
    private static Map<String, Object> values(
            List<HistoryPoint> points, Set<String> series, Duration step, Instant start, Instant end) {
        Map<Instant, HistoryPoint> byTime = new HashMap<>();
        points.forEach(point -> byTime.put(point.at(), point));
        List<Object> times = new ArrayList<>();
        Map<String, Object> values = new LinkedHashMap<>();
        Map<String, List<@Nullable Object>> lists = new LinkedHashMap<>();
        series.forEach(name -> lists.put(name, new ArrayList<>()));
        for (Instant at = start; at.isBefore(end); at = at.plus(step)) {
            times.add(at.getEpochSecond());
            HistoryPoint point = byTime.get(at);
            lists.forEach(
                    (name, list) -> list.add(point == null ? COUNTS.contains(name) ? 0L : null : valueOf(name, point)));
        }
        lists.forEach(values::put);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("times", times);
        answer.put("series", values);
        return answer;
    }

    private static @Nullable Object valueOf(String name, HistoryPoint point) {
        Function<HistoryPoint, @Nullable Object> value = SERIES.get(name);
        return value == null ? null : value.apply(point);
    }
}
