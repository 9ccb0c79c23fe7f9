package io.acidq.dashboard.api;

import io.acidq.QueueMisuseException;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkCallback.BulkStatus;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.Operator;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.read.BulkActions.Bulk;
import io.acidq.dashboard.read.BulkActions.Kind;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bulk actions that go on after the answer: their progress, and their stop. Those of other processes, and of those that have ended, are what the audit log says. */
final class BulkApi {

    private static final Logger LOG = LoggerFactory.getLogger(BulkApi.class);
    private static final Pattern COUNTS = Pattern.compile("matched=(\\d+) changed=(\\d+) lost=(\\d+) keyTaken=(\\d+)");
    private static final Pattern RECORDED_FILTER = Pattern.compile(
            "queue=\\S+(?: cause=([0-9A-F]{16}))?(?: type=(\\S+))?(?: since=([0-9TZ:.-]+))?(?: until=([0-9TZ:.-]+))?");
    static final Instant FAR = Instant.parse("9000-01-01T00:00:00Z");
    private static final int MAX_SINCE = 1_000;
    private static final int MAX_DIGITS = 18;

    private final Fields fields;

    BulkApi(Fields fields) {
        this.fields = fields;
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.V1 + "bulks", Permission.VIEW, Scope.ENGINE, this::list),
                Route.get(Api.V1 + "bulk", Permission.VIEW, Scope.ENGINE, this::one, "id"),
                Route.post(Api.V1 + "bulk/stop", Permission.OPERATE, Scope.ENGINE, this::stop, "id", "reason"));
    }

    /** Those of this process, the newest first. */
    private Answer list(Call call) {
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "bulks",
                call.database().bulkActions().all().stream()
                        .filter(bulk -> call.sees(bulk.filter().queue()))
                        .map(bulk -> fieldsOf(call, bulk))
                        .toList());
        return Answer.json(answer);
    }

    private Answer one(Call call) {
        String id = call.parameters().text("id");
        Map<String, Object> answer = Api.answer(call);
        Bulk here = call.database()
                .bulkActions()
                .find(id)
                .filter(bulk -> call.sees(bulk.filter().queue()))
                .orElse(null);
        if (here == null) {
            answer.putAll(recorded(call, id));
            return Answer.json(answer);
        }
        answer.putAll(fieldsOf(call, here));
        Instant until = here.filter().until();
        if (until != null) {
            DeadLetterFilter later = here.filter().diedBetween(until, FAR);
            answer.put(
                    "sinceThen",
                    call.database()
                            .shared()
                            .get(
                                    later,
                                    () -> call.database()
                                            .call(engine -> engine.deadLetters().count(later, MAX_SINCE))));
        }
        return Answer.json(answer);
    }

    /** A bulk action of another process, or of one that has ended: the audit log has its number. */
    private Map<String, Object> recorded(Call call, String id) {
        AuditEntry entry = id.matches("\\d{1," + MAX_DIGITS + "}")
                ? call.database()
                        .call(engine -> engine.audit().find(Long.parseLong(id)))
                        .filter(found ->
                                found.message().isEmpty() && !found.filter().isEmpty())
                        .filter(found -> call.sees(found.queue()))
                        .orElse(null)
                : null;
        if (entry == null) {
            throw RequestException.notFound("there is no bulk action '" + id
                    + "' in this process; the audit log has what it has done, under its number");
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id);
        answer.put("audit", entry.id());
        answer.put("action", entry.action());
        answer.put("queue", entry.queue());
        if (call.may(Permission.CONTENT, entry.queue())) {
            answer.put("filter", entry.filter());
        }
        DeadLetterFilter filter = recordedFilter(entry);
        if (filter != null) {
            if (filter.cause() != null) {
                answer.put("cause", filter.cause());
            }
            putSelection(answer, call, filter);
        }
        answer.put("actor", entry.actor());
        answer.put("reason", entry.reason());
        answer.put("startedAt", entry.at().toString());
        answer.put("state", "RECORDED");
        Matcher counts = COUNTS.matcher(entry.detail());
        if (counts.find()) {
            List<String> names = List.of("matched", "changed", "lost", "keyTaken");
            for (int i = 0; i < names.size(); i++) {
                answer.put(names.get(i), Long.parseLong(counts.group(i + 1)));
            }
        }
        return answer;
    }

    /** Adds what the same action again would send. Who may not see the keys of the filter cannot repeat it. */
    private static void putSelection(Map<String, Object> answer, Call call, DeadLetterFilter filter) {
        boolean hasKeys = filter.key() != null || filter.orderingKey() != null;
        if (hasKeys && !call.may(Permission.CONTENT, filter.queue())) {
            return;
        }
        Map<String, Object> selection = new LinkedHashMap<>();
        putIfGiven(selection, "cause", filter.cause());
        putIfGiven(selection, "type", filter.type());
        putIfGiven(selection, "key", filter.key());
        putIfGiven(selection, "orderingKey", filter.orderingKey());
        putIfGiven(selection, "since", filter.since());
        putIfGiven(selection, "until", filter.until());
        answer.put("selection", selection);
    }

    private static void putIfGiven(Map<String, Object> selection, String name, @Nullable Object value) {
        if (value != null) {
            selection.put(name, value.toString());
        }
    }

    /** The filter of a replay or a discard as the audit log has it; null if its text could also be that of another filter, such as one with a key, which may contain anything. */
    private static @Nullable DeadLetterFilter recordedFilter(AuditEntry entry) {
        Matcher text = RECORDED_FILTER.matcher(entry.filter());
        boolean isOfLetters =
                entry.action().equals(Kind.REPLAY.word()) || entry.action().equals(Kind.DISCARD.word());
        if (!isOfLetters || !text.matches()) {
            return null;
        }
        try {
            return new DeadLetterFilter(
                    entry.queue(),
                    null,
                    text.group(1),
                    text.group(2),
                    null,
                    null,
                    time(text.group(3)),
                    time(text.group(4)));
        } catch (DateTimeException
                | QueueMisuseException e) { // the type contains what looks like a time, or the queue is gone
            return null;
        }
    }

    private static @Nullable Instant time(@Nullable String text) {
        return text == null ? null : Instant.parse(text);
    }

    private Answer stop(Call call) {
        String id = call.parameters().text("id");
        Operator operator = call.operator();
        Bulk bulk = call.database()
                .bulkActions()
                .find(id)
                .filter(found -> call.sees(found.filter().queue()))
                .orElse(null);
        if (bulk == null) {
            recorded(call, id); // refuses one that is unknown
            throw RequestException.conflict("bulk action " + id
                    + " has ended, or runs in another process: only the process in which it runs can stop it");
        }
        String queue = bulk.filter().queue();
        if (!call.may(Permission.OPERATE, queue)) {
            throw RequestException.forbidden(
                    "user '" + call.user().name() + "' lacks the permission OPERATE for queue '" + queue + "'");
        }
        boolean running = call.database().bulkActions().stop(bulk, operator);
        if (running) {
            LOG.info(
                    "The bulk {} {} of queue '{}' is stopped by '{}'",
                    bulk.kind().word(),
                    id,
                    queue,
                    operator.actor());
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id);
        answer.put("changed", running);
        return Answer.json(answer);
    }

    Map<String, Object> fieldsOf(Call call, Bulk bulk) {
        DeadLetterFilter filter = bulk.filter();
        BulkAction action = bulk.action();
        BulkStatus status = bulk.status();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("id", bulk.id());
        if (status.bulk() > 0) {
            all.put("audit", status.bulk());
        }
        all.put("action", bulk.kind().word());
        all.put("queue", filter.queue());
        if (call.may(Permission.CONTENT, filter.queue())) {
            all.put("filter", filter.toString());
        }
        if (filter.cause() != null) {
            all.put("cause", filter.cause());
        }
        putSelection(all, call, filter);
        all.put("actor", action.operator().actor());
        all.put("reason", action.operator().reason());
        all.put("startedAt", bulk.startedAt().toString());
        all.put("state", bulk.isStopping() ? "STOPPING" : bulk.state().name());
        all.put("limit", action.limit());
        all.put("rate", action.perSecond());
        all.put("matched", status.matched());
        all.put("changed", status.changed());
        all.put("lost", status.lost());
        all.put("keyTaken", status.keyTaken());
        String error = bulk.error();
        if (error != null) {
            all.put("error", fields.errorText(error, call.may(Permission.CONTENT, filter.queue())));
        }
        return all;
    }
}
