package io.acidq.dashboard.api;

import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.read.Database.DoctorRun;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The doctor. A GET shows the last report; only a POST examines, since the doctor inserts and removes a row. */
final class DoctorApi {

    List<Route> routes() {
        return List.of(
                Route.get(
                        Api.V1 + "doctor",
                        Permission.VIEW,
                        Scope.ENGINE,
                        call -> report(call.database().lastDoctorRun())),
                Route.post(Api.V1 + "doctor", Permission.OPERATE, Scope.ENGINE, this::examine));
    }

    private Answer examine(Call call) {
        return report(Optional.of(call.database().runDoctor()));
    }

    private static Answer report(Optional<DoctorRun> doctorRun) {
        Map<String, Object> answer = new LinkedHashMap<>();
        doctorRun.ifPresent(done -> answer.put("ranAt", done.ranAt().toString()));
        answer.putAll(doctorRun.map(done -> done.report().toFields()).orElseGet(() -> Map.of("findings", List.of())));
        return Answer.json(answer);
    }
}
