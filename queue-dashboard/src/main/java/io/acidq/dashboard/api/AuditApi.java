package io.acidq.dashboard.api;

import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.util.List;
import java.util.Map;

/** The audit log: the newest entries, or those of one message. */
final class AuditApi {

    private final Fields fields;

    AuditApi(Fields fields) {
        this.fields = fields;
    }

    List<Route> routes() {
        return List.of(Route.get(Api.V1 + "audit", Permission.VIEW, Scope.MESSAGE_IF_GIVEN, this::list, "id", "limit"));
    }

    private Answer list(Call call) {
        Parameters parameters = call.parameters();
        int limit = parameters.number("limit", 50, 1, 200);
        List<AuditEntry> entries = call.database()
                .call(engine -> parameters.has("id")
                        ? engine.audit().of(parameters.messageId("id"))
                        : engine.audit().recent(limit));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "entries",
                entries.stream()
                        .filter(entry -> call.sees(entry.queue()))
                        .map(entry -> fields.auditEntry(call, entry))
                        .toList());
        answer.put("complete", parameters.has("id") || entries.size() < limit);
        return Answer.json(answer);
    }
}
