package io.acidq.boot;

import io.acidq.QueueMisuseException;
import io.acidq.TransientQueueException;
import io.acidq.admin.Backlog;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroup;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.resilience.GuardState;
import io.acidq.spring.QueueEngines;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The engines for operators. Shows queues, nodes and the causes of dead letters, and no payloads; pauses and resumes queues, replays
 * dead letters. What is done is recorded in the audit table with who did it, and why.
 */
@Endpoint(id = "acidq")
final class AcidqEndpoint {

    private static final int MOST_CAUSES = 20;
    private static final int MOST_NODES = 1_000;
    private static final int MOST_QUEUES = 1_000;

    private final QueueEngines engines;

    AcidqEndpoint(QueueEngines engines) {
        this.engines = engines;
    }

    /** Each engine by name, and the queues of its database. While that is away, what the engine knows by itself. */
    @ReadOperation
    public Map<String, Map<String, Overview>> overview() {
        Map<String, Overview> each = new LinkedHashMap<>();
        engines.all().forEach((name, engine) -> each.put(name, overview(engine)));
        return Map.of("engines", each);
    }

    private static Overview overview(Engine asked) {
        EngineHealth health = asked.health();
        List<QueueState> here = asked.queues();
        if (!health.database().isOutage()) {
            try {
                List<NodeView> nodes = EngineDefinition.of(asked).store().inspection().livingNodes(MOST_NODES).stream()
                        .map(NodeView::of)
                        .toList();
                List<QueueView> queues = asked.messages().queues(MOST_QUEUES).stream()
                        .map(q -> view(asked, q.name(), here))
                        .toList();
                return Overview.of(health, nodes, queues);
            } catch (TransientQueueException e) { // an outage that the engine does not know of yet
                health = asked.health();
            }
        }
        Set<String> names = new TreeSet<>(asked.knownQueues());
        here.forEach(state -> names.add(state.queue()));
        return Overview.of(
                health, List.of(), names.stream().map(name -> view(name, here)).toList());
    }

    /**
     * A queue, with the most frequent causes of its dead letters.
     *
     * @param engine whose queue it is; the main one unless given
     */
    @ReadOperation
    public WebEndpointResponse<Object> queue(@Selector String queue, @Nullable String engine) {
        return answer(engine, asked -> {
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
     * @param engine whose queue it is; the main one unless given
     * @param who    the operator's name
     * @param why    the reason
     * @param cause  of a replay: only dead letters of this cause, by its fingerprint
     * @param dryRun of a replay: whether only to tell what would be done, which is so unless it is false
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector String queue,
            @Selector String action,
            @Nullable String engine,
            @Nullable String who,
            @Nullable String why,
            @Nullable String cause,
            @Nullable Boolean dryRun) {
        return answer(engine, asked -> {
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

    private WebEndpointResponse<Object> answer(@Nullable String engine, Question question) {
        try {
            Engine asked = engines.engine(engine == null ? QueueEngines.MAIN : engine);
            if (asked.health().database().isOutage()) {
                return refused(
                        WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, () -> "the database is away: try again later");
            }
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

    /**
     * An engine.
     *
     * @param node      the number of the node that it is, 0 when it is none
     * @param nodes     all nodes that count as living in the database; empty while it is away
     * @param database  how it finds its database
     * @param lasting   for how long it has found it so
     * @param lastError the last error that kept it from the database
     * @param queues    all of the database; while it is away those that this engine has used
     */
    record Overview(
            int node,
            List<NodeView> nodes,
            String database,
            String lasting,
            @Nullable String lastError,
            List<QueueView> queues) {

        static Overview of(EngineHealth health, List<NodeView> nodes, List<QueueView> queues) {
            return new Overview(
                    health.node(),
                    nodes,
                    health.database().name(),
                    health.inStateFor().toString(),
                    health.lastError().orElse(null),
                    queues);
        }
    }

    /**
     * A node that counts as living.
     *
     * @param node    its number
     * @param host    the process and the host where it runs
     * @param version the version of AcidQ
     * @param started when it registered
     */
    record NodeView(int node, String host, String version, String started) {

        static NodeView of(LivingNode node) {
            return new NodeView(
                    node.node(), node.host(), node.version(), node.started().toString());
        }
    }

    /**
     * A queue.
     *
     * @param paused   whether it is paused, by the database's word; null when that is not known
     * @param backlog  how much there is in the database; null when that is not known
     * @param listener how this engine serves it; null when it does not
     */
    record QueueView(
            String name,
            @Nullable Boolean paused,
            @Nullable BacklogView backlog,
            @Nullable ListenerView listener) {

        static QueueView of(
                String name, @Nullable Boolean paused, @Nullable Backlog backlog, @Nullable QueueState state) {
            return new QueueView(
                    name,
                    paused,
                    backlog == null ? null : BacklogView.of(backlog),
                    state == null ? null : ListenerView.of(state));
        }
    }

    /**
     * How much there is.
     *
     * @param complete      whether the numbers are exact; else there are at least so many
     * @param oldestSeconds how long ago the oldest unclaimed message was first due; null when there is none
     */
    record BacklogView(
            int ready,
            int running,
            int waiting,
            int scheduled,
            int dead,
            boolean complete,
            @Nullable Double oldestSeconds) {

        static BacklogView of(Backlog backlog) {
            return new BacklogView(
                    backlog.ready(),
                    backlog.running(),
                    backlog.waiting(),
                    backlog.scheduled(),
                    backlog.dead(),
                    backlog.isComplete(),
                    backlog.oldest().map(age -> age.toMillis() / 1e3).orElse(null));
        }
    }

    /**
     * A listener of this engine.
     *
     * @param workers       how many workers it has now
     * @param running       how many messages run
     * @param claimed       how many are claimed and have not started
     * @param claimStrategy how it claims
     * @param suspect       the suspect message, or null
     * @param guards        its breaker, rate limit and bulkhead, in words
     */
    record ListenerView(
            int workers,
            int running,
            int claimed,
            String claimStrategy,
            @Nullable String suspect,
            List<String> guards) {

        static ListenerView of(QueueState state) {
            return new ListenerView(
                    state.workers(),
                    state.running(),
                    state.waiting(),
                    state.claimStrategy().name(),
                    state.suspect().map(s -> s.id().toString()).orElse(null),
                    state.guards().stream().map(GuardState::toString).toList());
        }
    }
}
