package io.acidq.dashboard.api;

import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.SensitiveNames;
import io.acidq.dashboard.read.Database;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON API as a whole. */
public final class Api {

    /** The path of version 1, below the mount point. */
    static final String V1 = "api/v1/";

    private final List<Route> routes = new ArrayList<>();

    public Api(Collection<Database> databases, PayloadMask mask, SensitiveNames names, String environment) {
        Fields fields = new Fields(names);
        routes.addAll(new OverviewApi(databases, environment).routes());
        routes.addAll(new QueuesApi(fields).routes());
        routes.addAll(new HistoryApi().routes());
        routes.addAll(new MessagesApi(fields, mask).routes());
        routes.addAll(new TimelineApi(fields).routes());
        BulkApi bulk = new BulkApi(fields);
        routes.addAll(new DeadLettersApi(fields, mask, bulk).routes());
        routes.addAll(bulk.routes());
        routes.addAll(new RecurringApi().routes());
        routes.addAll(new TopicsApi().routes());
        routes.addAll(new AuditApi(fields).routes());
        routes.addAll(new DoctorApi().routes());
        routes.add(Route.get(
                V1 + "openapi.yaml",
                Permission.VIEW,
                Scope.ENGINE,
                call -> new Answer.Bytes("application/yaml", openApi(), null)));
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    private static byte[] openApi() {
        try (InputStream in = Api.class.getResourceAsStream("/io/acidq/dashboard/openapi.yaml")) {
            if (in == null) {
                throw new IllegalStateException("the jar of the dashboard has no openapi.yaml");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins an answer with the time by the database's clock. */
    static Map<String, Object> answer(Call call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("now", call.database().now().toString());
        return fields;
    }

    /** Returns the name of the queue of a request; refuses one that does not exist, and names those like it. */
    static String existingQueue(Call call) {
        String queue = call.parameters().queue();
        if (!call.database().exists(queue)) {
            call.database().sampler().sample(); // for the names
            List<String> nearest = call.database().nearest(queue, call::sees);
            throw RequestException.notFound("there is no queue '" + queue + "'"
                    + (nearest.isEmpty() ? "" : "; the names most like it: " + String.join(", ", nearest)));
        }
        return queue;
    }
}
