package io.acidq.dashboard.api;

import io.acidq.Schedule;
import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.RecurringMessages.RecurringInfo;
import io.acidq.admin.RecurringMessages.TickEntry;
import io.acidq.admin.Views;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Recurring messages: their list, their ticks, and the actions on them. */
final class RecurringApi {

    private static final int MAX_LISTED = 10_000;
    private static final int MAX_NEXT = 5;
    private static final int MAX_TICKS = 50;

    List<Route> routes() {
        return List.of(
                Route.get(Api.V1 + "recurring", Permission.VIEW, Scope.ENGINE, this::list, "prefix", "limit", "after"),
                Route.get(Api.V1 + "recurring/one", Permission.VIEW, Scope.RECURRING, this::one, "name"),
                route("pause", Permission.OPERATE, RecurringMessages::pause),
                route("resume", Permission.OPERATE, RecurringMessages::resume),
                route("trigger", Permission.OPERATE, RecurringMessages::trigger),
                route("remove", Permission.DESTROY, RecurringMessages::remove),
                Route.post(
                        Api.V1 + "recurring/reschedule",
                        Permission.OPERATE,
                        Scope.RECURRING,
                        this::reschedule,
                        "name",
                        "schedule",
                        "zone",
                        "reason"));
    }

    private static Route route(String word, Permission permission, Change change) {
        return Route.post(
                Api.V1 + "recurring/" + word,
                permission,
                Scope.RECURRING,
                call -> change(call, change),
                "name",
                "reason");
    }

    private Answer list(Call call) {
        String prefix = call.parameters().optional("prefix");
        int limit = call.parameters().number("limit", 100, 1, 200);
        String list = "recurring " + prefix;
        String after = call.parameters().optional("after");
        int before = after == null ? 0 : (int) Math.max(0, Math.min(MAX_LISTED - limit, Cursor.number(after, list)));
        List<RecurringInfo> all =
                call.database().call(engine -> engine.recurring().list(prefix == null ? "" : prefix, before + limit));
        List<RecurringInfo> found = all.subList(Math.min(before, all.size()), all.size());
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "recurring",
                found.stream()
                        .filter(each -> each.topic() || call.sees(each.destination()))
                        .map(Views::recurring)
                        .toList());
        if (found.size() == limit && before + limit < MAX_LISTED) {
            answer.put("after", Cursor.toText(before + limit, list));
        }
        answer.put("complete", found.size() < limit);
        return Answer.json(answer);
    }

    private Answer one(Call call) {
        String name = call.parameters().text("name");
        RecurringInfo found = call.database()
                .call(engine -> engine.recurring().find(name))
                .orElseThrow(() -> RequestException.notFound("there is no recurring message '" + name + "'"));
        List<Instant> next = call.database().call(engine -> engine.recurring().next(name, MAX_NEXT));
        List<TickEntry> ticks =
                call.database().call(engine -> engine.recurring().ticks(name, MAX_TICKS));
        Map<String, Object> answer = Api.answer(call);
        answer.putAll(Views.recurring(found));
        answer.put("nextTicks", next.stream().map(Instant::toString).toList());
        answer.put("ticks", ticks.stream().map(Views::tick).toList());
        return Answer.json(answer);
    }

    private Answer reschedule(Call call) {
        String text = call.parameters().text("schedule");
        String zone = call.parameters().optional("zone");
        Schedule schedule = call.parameters().checked(() -> Schedule.parse(text, zone));
        return change(call, (recurring, name, operator) -> recurring.reschedule(name, schedule, operator));
    }

    private static Answer change(Call call, Change change) {
        String name = call.parameters().text("name");
        Operator operator = call.operator();
        boolean changed = call.database().call(engine -> change.run(engine.recurring(), name, operator));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("name", name);
        answer.put("changed", changed);
        return Answer.json(answer);
    }

    private interface Change {
        boolean run(RecurringMessages recurring, String name, Operator operator);
    }
}
