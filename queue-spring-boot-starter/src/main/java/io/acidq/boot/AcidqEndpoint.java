package io.acidq.boot;

import io.acidq.BulkAction;
import io.acidq.DeadLetterFilter;
import io.acidq.DeadLetterGroup;
import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.boot.EndpointViews.Overview;
import io.acidq.boot.EndpointViews.QueueView;
import io.acidq.engine.Engine;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The engine for operators. Shows queues, this node and the causes of dead letters, and no payloads; pauses and resumes queues, replays
 * dead letters. What is done is recorded in the audit table with who did it, and why.
 */
@Endpoint(id = "acidq")
final class AcidqEndpoint {

    private static final int MOST_CAUSES = 20;

    private final ObjectProvider<Engine> engine;

    AcidqEndpoint(ObjectProvider<Engine> engine) {
        this.engine = engine;
    }

    /** This engine and the queues that it has used. While the database is away, what the engine knows by itself. */
    @ReadOperation
    public Overview overview() {
        Engine asked = engine.getObject();
        EngineHealth health = asked.health();
        boolean away = health.database().isOutage();
        List<QueueState> here = asked.queues();
        Set<String> names = new TreeSet<>(asked.knownQueues());
        here.forEach(state -> names.add(state.queue()));
        List<QueueView> queues = new ArrayList<>();
        for (String name : names) {
            queues.add(away ? view(name, here) : view(asked, name, here));
        }
        return Overview.of(health, away ? Set.of() : livingNodes(asked), queues);
    }

    /** A queue, with the most frequent causes of its dead letters. */
    @ReadOperation
    public WebEndpointResponse<Object> queue(@Selector String queue) {
        return answer(asked -> {
            Map<String, Object> all = new LinkedHashMap<>();
            List<DeadLetterGroup> causes = asked.deadLetters().groups(queue, MOST_CAUSES);
            all.put("queue", view(asked, queue, asked.queues()));
            all.put("causes", causes);
            return all;
        });
    }

    /**
     * Acts on a queue.
     *
     * @param action what to do: pause, resume or replay
     * @param who    the operator's name
     * @param why    the reason
     * @param cause  of a replay: only dead letters of this cause, by its fingerprint
     * @param dryRun of a replay: whether only to tell what would be done, which is so unless it is false
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector String queue,
            @Selector String action,
            @Nullable String who,
            @Nullable String why,
            @Nullable String cause,
            @Nullable Boolean dryRun) {
        return answer(asked -> {
            BulkAction named = BulkAction.by(given(who), given(why));
            return switch (action) {
                case "pause" -> Map.of("changed", asked.control().pause(queue, named.who(), named.why()));
                case "resume" -> Map.of("changed", asked.control().resume(queue, named.who(), named.why()));
                case "replay" -> {
                    DeadLetterFilter all = DeadLetterFilter.of(queue);
                    yield asked.deadLetters()
                            .replay(
                                    cause == null ? all : all.withCause(cause),
                                    Boolean.FALSE.equals(dryRun) ? named : named.asDryRun());
                }
                default ->
                    throw new QueueMisuseException("there is no action '" + action + "': use pause, resume or replay");
            };
        });
    }

    private static String given(@Nullable String text) {
        return text == null ? "" : text; // refused with the words that say what is missing
    }

    private static Set<Integer> livingNodes(Engine asked) {
        try {
            return asked.livingNodes();
        } catch (TransientQueueException e) { // an outage that the engine does not know of yet
            return Set.of();
        }
    }

    private static QueueView view(Engine asked, String name, List<QueueState> here) {
        try {
            return QueueView.of(name, asked.control().isPaused(name), asked.backlog(name), stateOf(name, here));
        } catch (TransientQueueException e) {
            return view(name, here);
        }
    }

    /** By what this engine knows alone. */
    private static QueueView view(String name, List<QueueState> here) {
        return QueueView.of(name, null, null, stateOf(name, here));
    }

    private static @Nullable QueueState stateOf(String name, List<QueueState> here) {
        return here.stream().filter(q -> q.queue().equals(name)).findFirst().orElse(null);
    }

    /** What an engine answers. */
    private interface Question {
        Object to(Engine engine);
    }

    private WebEndpointResponse<Object> answer(Question question) {
        Engine asked = engine.getObject();
        if (asked.health().database().isOutage()) {
            return refused(
                    WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, () -> "the database is away: try again later");
        }
        try {
            return new WebEndpointResponse<>(question.to(asked));
        } catch (QueueMisuseException e) {
            return refused(WebEndpointResponse.STATUS_BAD_REQUEST, e::getMessage);
        } catch (TransientQueueException e) {
            return refused(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, e::getMessage);
        }
    }

    private static WebEndpointResponse<Object> refused(int status, Supplier<@Nullable String> why) {
        return new WebEndpointResponse<>(Map.of("error", String.valueOf(why.get())), status);
    }
}
