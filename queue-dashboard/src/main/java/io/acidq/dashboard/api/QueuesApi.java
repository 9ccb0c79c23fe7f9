package io.acidq.dashboard.api;

import io.acidq.InputChecks;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.Operator;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.read.RecentHistory.Recent;
import io.acidq.dashboard.read.Sampler.QueueSample;
import io.acidq.dashboard.read.Sampler.Sample;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Queues: their numbers, their pauses, and their blocked ordering keys. */
final class QueuesApi {

    private static final int PAGE = 100;
    private static final int MAX_BLOCKED_KEYS = 200;

    private static final Map<String, ToLongFunction<Backlog>> SORTS = Map.of(
            "ready", Backlog::ready,
            "running", Backlog::running,
            "waiting", Backlog::waiting,
            "scheduled", Backlog::scheduled,
            "dead", Backlog::dead,
            "oldest", backlog -> backlog.oldest().map(age -> age.toMillis()).orElse(-1L));

    private final Fields fields;

    QueuesApi(Fields fields) {
        this.fields = fields;
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.V1 + "queues", Permission.VIEW, Scope.ENGINE, this::queues, "q", "sort", "limit"),
                Route.get(Api.V1 + "queue", Permission.VIEW, Scope.QUEUE, this::queue, "queue"),
                Route.post(
                        Api.V1 + "queue/pause",
                        Permission.OPERATE,
                        Scope.QUEUE,
                        call -> change(call, true),
                        "queue",
                        "reason"),
                Route.post(
                        Api.V1 + "queue/resume",
                        Permission.OPERATE,
                        Scope.QUEUE,
                        call -> change(call, false),
                        "queue",
                        "reason"),
                Route.get(Api.V1 + "blocked", Permission.VIEW, Scope.QUEUE, this::blocked, "queue", "limit"),
                Route.post(
                        Api.V1 + "blocked/release",
                        Permission.OPERATE,
                        Scope.QUEUE,
                        this::release,
                        "queue",
                        "orderingKey",
                        "deadLetter",
                        "reason",
                        "dryRun"));
    }

    private Answer queues(Call call) {
        Parameters parameters = call.parameters();
        String wanted = parameters.optional("q");
        Comparator<QueueSample> order = order(parameters.optional("sort"));
        int limit = parameters.number("limit", PAGE, 1, 1_000);
        Sample sample = call.database().sampler().sample();
        List<QueueSample> found = sample.queues().values().stream()
                .filter(each -> call.sees(each.info().name()))
                .filter(each -> wanted == null
                        || each.info().name().toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT)))
                .sorted(order)
                .toList();
        Map<String, Object> answer = Api.answer(call);
        answer.put("asOf", sample.asOf().toString());
        Recent recent = call.database().history().recent(sample.queues().keySet());
        answer.put(
                "queues",
                found.stream()
                        .limit(limit)
                        .map(each -> queue(each, recent, true))
                        .toList());
        answer.put("complete", found.size() <= limit && !sample.cut());
        return Answer.polled(answer, sample.version() + " " + recent.end());
    }

    private Map<String, Object> queue(QueueSample sample, Recent recent, boolean withCourse) {
        Map<String, Object> queue = fields.queue(sample);
        Fields.rates(queue, recent, sample.info().name(), withCourse);
        return queue;
    }

    /** The order by the name, or by a number, the highest first; queues without numbers come last. */
    private static Comparator<QueueSample> order(@Nullable String sort) {
        Comparator<QueueSample> byName =
                Comparator.comparing(each -> each.info().name());
        if (sort == null || sort.equals("queue")) {
            return byName;
        }
        ToLongFunction<Backlog> number = SORTS.get(sort);
        if (number == null) {
            throw RequestException.invalid(
                    "the parameter 'sort' must be queue, ready, running, waiting, scheduled, dead or oldest, was '"
                            + sort + "'");
        }
        return Comparator.comparingLong((QueueSample each) -> {
                    Backlog backlog = each.backlog();
                    return backlog == null ? Long.MIN_VALUE : number.applyAsLong(backlog);
                })
                .reversed()
                .thenComparing(byName);
    }

    private Answer queue(Call call) {
        String name = Api.existingQueue(call);
        QueueSample sample = call.database().sampler().queue(name);
        Map<String, Object> answer = Api.answer(call);
        Recent recent =
                call.database().history().recent(call.database().sampler().names());
        answer.putAll(queue(sample, recent, false));
        answer.put(
                "listeners",
                call.database().engine().queues().stream()
                        .filter(state -> state.queue().equals(name))
                        .map(fields::listener)
                        .toList());
        return Answer.polled(answer, sample + " " + recent.end());
    }

    private static Answer change(Call call, boolean pause) {
        String queue = Api.existingQueue(call);
        Operator operator = call.operator();
        boolean changed = call.database()
                .call(engine -> pause
                        ? engine.control().pause(queue, operator)
                        : engine.control().resume(queue, operator));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("queue", queue);
        answer.put("paused", pause);
        answer.put("changed", changed);
        return Answer.json(answer);
    }

    private Answer blocked(Call call) {
        String queue = Api.existingQueue(call);
        int limit = call.parameters().number("limit", 50, 1, MAX_BLOCKED_KEYS);
        List<BlockedKey> keys =
                call.database().call(engine -> engine.blockedKeys().list(queue, limit));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "blockedKeys",
                keys.stream().map(key -> fields.blockedKey(call, queue, key)).toList());
        answer.put("complete", keys.size() < limit);
        return Answer.json(answer);
    }

    private Answer release(Call call) {
        String queue = Api.existingQueue(call);
        String orderingKey = call.parameters().text("orderingKey");
        String head = call.parameters().messageId("deadLetter").toString();
        Operator operator = call.operator();
        boolean dryRun = call.parameters().flag("dryRun", true);
        call.parameters().checked(() -> {
            InputChecks.checkWantedKey("ordering key", orderingKey);
            return orderingKey;
        });
        BlockedKey blocked = call.database()
                .call(engine -> engine.blockedKeys().find(queue, orderingKey))
                .filter(found -> found.head().toString().equals(head))
                .orElseThrow(() -> RequestException.conflict("the ordering key of queue '" + queue
                        + "' is not blocked by message " + head + " any more: it was replayed, discarded or released"));
        if (!dryRun && !call.database().call(engine -> engine.blockedKeys().release(blocked, operator))) {
            throw RequestException.conflict(
                    "the ordering key was not released: another process replayed, discarded or released its dead letter first");
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("queue", queue);
        answer.put("dryRun", dryRun);
        answer.put(dryRun ? "wouldChange" : "changed", true);
        answer.putAll(fields.blockedKey(call, queue, blocked));
        return Answer.json(answer);
    }
}
