package io.acidq.boot;

import io.acidq.InputChecks;
import io.acidq.QueueMisuseException;
import io.acidq.Schedule;
import io.acidq.TransientQueueException;
import io.acidq.admin.Operator;
import io.acidq.admin.RecurringMessages;
import io.acidq.admin.Views;
import io.acidq.engine.Engine;
import io.acidq.spring.QueueEngines;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code acidqrecurring}, with the recurring messages of the database. It is separate from {@link AcidqEndpoint} because a recurring message and a queue can
 * have the same name. Each action is recorded in the audit log with the operator and the reason.
 */
@Endpoint(id = "acidqrecurring")
final class AcidqRecurringEndpoint {

    private static final int MAX_LISTED = 1_000;
    private static final int MAX_NEXT = 10;
    private static final int MAX_TICKS = 50;

    private final QueueEngines engines;

    AcidqRecurringEndpoint(QueueEngines engines) {
        this.engines = engines;
    }

    /**
     * Returns the recurring messages of a database.
     *
     * @param engine the name of the engine; the main engine if null
     */
    @ReadOperation
    public WebEndpointResponse<Object> all(@Nullable String engine) {
        return answer(
                engine,
                recurring -> Map.of(
                        "recurring",
                        recurring.list("", MAX_LISTED).stream()
                                .map(Views::recurring)
                                .toList()));
    }

    /**
     * Returns a recurring message with its next ticks and its latest ones.
     *
     * @param namePath its name, which may contain slashes
     * @param engine   the name of the engine; the main engine if null
     */
    @ReadOperation
    public WebEndpointResponse<Object> one(
            @Selector(match = Match.ALL_REMAINING) String[] namePath, @Nullable String engine) {
        String name = String.join("/", namePath);
        return answer(engine, recurring -> {
            List<String> next = recurring.next(name, MAX_NEXT).stream()
                    .map(Instant::toString)
                    .toList(); // refuses an unknown name
            Map<String, Object> all = new LinkedHashMap<>(Views.recurring(
                    recurring.find(name).orElseThrow(() -> new QueueMisuseException("it was removed just now"))));
            all.put("nextTicks", next);
            all.put(
                    "ticks",
                    recurring.ticks(name, MAX_TICKS).stream().map(Views::tick).toList());
            return all;
        });
    }

    /**
     * Acts on a recurring message. The parts of the path are named as in {@link AcidqEndpoint#act}.
     *
     * @param actionPath its name, which may contain slashes, and pause, resume, trigger, reschedule or remove
     * @param engine     the name of the engine; the main engine if null
     * @param actor      the operator's name
     * @param reason     the reason
     * @param schedule   for reschedule: a cron expression, every 30s, or after 30s
     * @param zone       for reschedule: the time zone of a cron expression
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector(match = Match.ALL_REMAINING) String[] actionPath,
            @Nullable String engine,
            @Nullable String actor,
            @Nullable String reason,
            @Nullable String schedule,
            @Nullable String zone) {
        String action = actionPath[actionPath.length - 1];
        String name = String.join("/", Arrays.copyOf(actionPath, actionPath.length - 1));
        return answer(engine, recurring -> {
            InputChecks.require(
                    action.equals("reschedule") || (schedule == null && zone == null),
                    "the action '" + action + "' takes no field 'schedule' or 'zone': leave it out");
            Operator operator =
                    new Operator(AcidqEndpoint.required("actor", actor), AcidqEndpoint.required("reason", reason));
            boolean changed = switch (action) {
                case "pause" -> recurring.pause(name, operator);
                case "resume" -> recurring.resume(name, operator);
                case "trigger" -> recurring.trigger(name, operator);
                case "reschedule" ->
                    recurring.reschedule(name, Schedule.parse(schedule == null ? "" : schedule, zone), operator);
                case "remove" -> recurring.remove(name, operator);
                default ->
                    throw new QueueMisuseException(
                            "there is no action '" + action + "': use pause, resume, trigger, reschedule or remove");
            };
            return Map.of("changed", changed);
        });
    }

    private WebEndpointResponse<Object> answer(@Nullable String engine, Function<RecurringMessages, Object> question) {
        try {
            Engine target = engines.engine(engine == null ? QueueEngines.MAIN : engine);
            if (target.health().database().isOutage()) {
                return AcidqEndpoint.refused(
                        WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "the database is away: try again later");
            }
            return new WebEndpointResponse<>(question.apply(target.recurring()));
        } catch (QueueMisuseException e) {
            return AcidqEndpoint.refused(WebEndpointResponse.STATUS_BAD_REQUEST, e.getMessage());
        } catch (TransientQueueException e) {
            return AcidqEndpoint.refused(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, e.getMessage());
        }
    }
}
