package io.acidq.dashboard.api;

import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditLog.AuditSlice;
import io.acidq.admin.AuditQuery;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The audit log: the newest entries that match, those of a bulk action, or those of one message. As JSON, or as CSV for a table. */
final class AuditApi {

    private static final int PAGE = 50;
    private static final int MAX_PAGE = 200;
    private static final List<String> COLUMNS =
            List.of("id", "at", "actor", "action", "queue", "message", "bulk", "filter", "reason", "detail");

    private final Fields fields;

    AuditApi(Fields fields) {
        this.fields = fields;
    }

    List<Route> routes() {
        return List.of(Route.get(
                Api.V1 + "audit",
                Permission.VIEW,
                Scope.MESSAGE_OR_QUEUE_IF_GIVEN,
                this::list,
                "id",
                "bulk",
                "queue",
                "actor",
                "action",
                "since",
                "until",
                "limit",
                "after"));
    }

    private Answer list(Call call) {
        Parameters parameters = call.parameters();
        if (parameters.has("id")) {
            return ofMessage(call);
        }
        String queue = parameters.has("queue") ? Api.existingQueue(call) : null;
        int limit = call.acceptsCsv()
                ? parameters.number("limit", AuditQuery.MAX_SCANNED, 1, AuditQuery.MAX_SCANNED)
                : parameters.number("limit", PAGE, 1, MAX_PAGE);
        AuditQuery first = parameters.checked(() -> new AuditQuery(
                parameters.has("bulk") ? parameters.longNumber("bulk") : 0,
                queue,
                parameters.optional("actor"),
                parameters.optional("action"),
                parameters.time("since"),
                parameters.time("until"),
                limit,
                0));
        String after = parameters.optional("after");
        String list = first.withLimit(1).toString();
        AuditQuery query = after == null ? first : first.withBefore(Cursor.number(after, list));
        AuditSlice slice = call.database().call(engine -> engine.audit().list(query));
        List<Map<String, Object>> entries = visible(call, slice.entries());
        if (call.acceptsCsv()) {
            return csv(entries);
        }
        Map<String, Object> answer = Api.answer(call);
        answer.put("entries", entries);
        slice.before().ifPresent(before -> answer.put("after", Cursor.toText(before, list)));
        slice.scanned().ifPresent(rows -> answer.put("scanned", rows));
        answer.put("complete", slice.before().isEmpty());
        return Answer.json(answer);
    }

    private Answer ofMessage(Call call) {
        for (String name : List.of("bulk", "queue", "actor", "action", "since", "until", "after")) {
            if (call.parameters().has(name)) {
                throw RequestException.invalid(
                        "'id' and '" + name + "' are both given: ask for one message, or for what a filter selects");
            }
        }
        List<AuditEntry> entries = call.database()
                .call(engine -> engine.audit().of(call.parameters().messageId("id")));
        if (call.acceptsCsv()) {
            return csv(visible(call, entries));
        }
        Map<String, Object> answer = Api.answer(call);
        answer.put("entries", visible(call, entries));
        answer.put("complete", true);
        return Answer.json(answer);
    }

    private List<Map<String, Object>> visible(Call call, List<AuditEntry> entries) {
        return entries.stream()
                .filter(entry -> call.sees(entry.queue()))
                .map(entry -> fields.auditEntry(call, entry))
                .toList();
    }

    private static Answer csv(List<Map<String, Object>> entries) {
        String text = String.join(",", COLUMNS) + "\r\n"
                + entries.stream()
                        .map(entry -> COLUMNS.stream()
                                .map(column -> cell(String.valueOf(entry.getOrDefault(column, ""))))
                                .collect(Collectors.joining(",", "", "\r\n")))
                        .collect(Collectors.joining());
        return new Answer.Bytes("text/csv", text.getBytes(StandardCharsets.UTF_8), "audit.csv");
    }

    /** A text that begins as a formula gets an apostrophe, so that a spreadsheet does not compute it. */
    private static String cell(String text) {
        String plain = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return '"' + plain.replace("\"", "\"\"") + '"';
    }
}
