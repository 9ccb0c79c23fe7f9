package io.acidq.dashboard.api;

import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.read.Database.Examination;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The doctor. A GET shows the last report; only a POST examines, since the examination inserts and removes a row. */
final class DoctorApi {

    List<Route> routes() {
        return List.of(
                Route.get(
                        Api.V1 + "doctor",
                        Permission.VIEW,
                        Scope.ENGINE,
                        call -> report(call.database().examination())),
                Route.post(Api.V1 + "doctor", Permission.OPERATE, Scope.ENGINE, this::examine));
    }

    private Answer examine(Call call) {
        return report(Optional.of(call.database().examine()));
    }

    private static Answer report(Optional<Examination> examination) {
        Map<String, Object> answer = new LinkedHashMap<>();
        examination.ifPresent(done -> answer.put("ranAt", done.ranAt().toString()));
        answer.putAll(examination.map(done -> done.report().toFields()).orElseGet(() -> Map.of("findings", List.of())));
        return Answer.json(answer);
    }
}
