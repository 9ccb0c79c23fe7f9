package io.acidq.boot;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.Receipts;
import io.acidq.TransientQueueException;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.Operator;
import io.acidq.admin.Views;
import io.acidq.boot.AcidqViews.NodeView;
import io.acidq.boot.AcidqViews.Overview;
import io.acidq.boot.AcidqViews.QueueView;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.spring.QueueEngines;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code acidq} for operators. It shows queues, nodes, subscriptions, receipts, the causes of dead letters and blocked ordering keys, but no
 * payloads. It pauses and resumes queues, replays and discards dead letters, releases blocked ordering keys, cancels messages, and adds and removes
 * subscriptions. Each action is recorded in the audit log with the operator and the reason, except that a subscription is added without a source.
 */
@Endpoint(id = "acidq")
final class AcidqEndpoint {

    private static final int MAX_CAUSES = 20;
    private static final int MAX_BLOCKED_KEYS = 20;
    private static final int MAX_NODES = 1_000;
    private static final int MAX_QUEUES = 1_000;
    private static final String SEPARATOR = "/";

    private final QueueEngines engines;

    AcidqEndpoint(QueueEngines engines) {
        this.engines = engines;
    }

    /** Returns each engine by name, with the queues of its database. During an outage, only what the engine has in memory. */
    @ReadOperation
    public Map<String, Map<String, Overview>> overview() {
        Map<String, Overview> each = new LinkedHashMap<>();
        engines.all().forEach((name, engine) -> each.put(name, overview(engine)));
        return Map.of("engines", each);
    }

    private static Overview overview(Engine target) {
        EngineHealth health = target.health();
        List<QueueState> here = target.queues();
        if (!health.database().isOutage()) {
            try {
                List<NodeView> nodes = EngineDefinition.of(target).store().inspection().livingNodes(MAX_NODES).stream()
                        .map(NodeView::of)
                        .toList();
                List<QueueView> queues = target.messages().queues(MAX_QUEUES).stream()
                        .map(q -> view(target, q.name(), here))
                        .toList();
                return Overview.of(
                        health,
                        nodes,
                        queues,
                        target.subscriptions().list().stream()
                                .map(Views::subscription)
                                .toList());
            } catch (TransientQueueException e) { // an outage that the engine has not detected yet
                health = target.health();
            }
        }
        Set<String> names = new TreeSet<>(target.knownQueues());
        here.forEach(state -> names.add(state.queue()));
        return Overview.of(
                health, List.of(), names.stream().map(name -> view(name, here)).toList(), List.of());
    }

    /**
     * Returns a queue, with the latest causes of its dead letters and the first of its blocked ordering keys. With an id or a key it returns the
     * receipt of a message of the queue in place of that, without its result.
     *
     * @param queuePath the name of the queue; that of a subscription has two parts
     * @param engine the name of the engine; the main engine if null
     * @param id     the message whose receipt is wanted, as {@code queue~lane~uid}
     * @param key    the message key of the message whose receipt is wanted
     */
    @ReadOperation
    public WebEndpointResponse<Object> queue(
            @Selector(match = Match.ALL_REMAINING) String[] queuePath,
            @Nullable String engine,
            @Nullable String id,
            @Nullable String key) {
        String queue = String.join(SEPARATOR, queuePath);
        return answer(engine, target -> {
            if (id != null || key != null) {
                return receipt(target.receipts(), queue, id, key);
            }
            Map<String, Object> all = new LinkedHashMap<>();
            List<DeadLetterGroup> causes = target.deadLetters().groups(queue, MAX_CAUSES);
            all.put("queue", view(target, queue, target.queues()));
            all.put("causes", causes.stream().map(Views::deadLetterGroup).toList());
            all.put(
                    "blockedKeys",
                    target.blockedKeys().list(queue, MAX_BLOCKED_KEYS).stream()
                            .map(Views::blockedKey)
                            .toList());
            return all;
        });
    }

    private static Map<String, Object> receipt(
            Receipts receipts, String queue, @Nullable String id, @Nullable String key) {
        if (id != null && key != null) {
            throw new QueueMisuseException("id and key are both given: ask for a message by one of them");
        }
        if (id == null) {
            return receipts.findByKey(queue, orEmpty(key))
                    .map(Views::receipt)
                    .orElseThrow(() -> new QueueMisuseException(
                            "no message of queue '" + queue + "' holds the key '" + key + "'"));
        }
        MessageId message = messageId(id);
        InputChecks.require(
                message.queue().equals(queue),
                "message " + id + " is not of queue '" + queue + "': GET …/actuator/acidq/" + message.queue() + "?id="
                        + id);
        Map<String, Object> fields = receipts.find(message)
                .map(Views::receipt)
                .orElseGet(() -> new LinkedHashMap<>(Map.of("id", id, "state", "NONE")));
        fields.put("committed", receipts.committed(message).name());
        return fields;
    }

    /**
     * Acts on a queue. A field that the action does not take is refused. The Actuator overwrites a path variable with a field of the body that has its name.
     * So the path variables have names that no request uses, and a field {@code queue} is refused as unknown.
     *
     * @param actionPath  the queue, and pause, resume, replay, discard, release, cancel, subscribe or unsubscribe; the last two need the queue of a subscription
     * @param engine      the name of the engine; the main engine if null
     * @param actor       the operator's name
     * @param reason      the reason
     * @param cause       for replay and discard: only dead letters of this cause, as 16 hexadecimal digits
     * @param id          for replay and discard: only this message, as {@code queue~lane~uid}; for cancel: the message
     * @param key         for cancel: the message with this message key, instead of its id
     * @param orderingKey for release: the blocked ordering key
     * @param filter      for subscribe: which messages the subscription gets; all if null
     * @param fromArchive for subscribe: the subscription of the topic whose messages it starts with; none if null
     * @param since       for subscribe with fromArchive: when the first of these was published, such as 2031-05-01T12:00:00Z
     * @param remaining   for unsubscribe: KEEP, DRAIN or DISCARD
     * @param dryRun      for replay, discard and release: whether to report only what would be done; true if null
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector(match = Match.ALL_REMAINING) String[] actionPath,
            @Nullable String engine,
            @Nullable String actor,
            @Nullable String reason,
            @Nullable String cause,
            @Nullable String id,
            @Nullable String key,
            @Nullable String orderingKey,
            @Nullable String filter,
            @Nullable String fromArchive,
            @Nullable String since,
            @Nullable String remaining,
            @Nullable String type,
            @Nullable String before,
            @Nullable Object claimed,
            @Nullable Object dryRun) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("cause", cause);
        fields.put("id", id);
        fields.put("key", key);
        fields.put("orderingKey", orderingKey);
        fields.put("filter", filter);
        fields.put("fromArchive", fromArchive);
        fields.put("since", since);
        fields.put("remaining", remaining);
        fields.put("type", type);
        fields.put("before", before);
        return answer(engine, target -> {
            fields.put("claimed", flag("claimed", claimed));
            fields.put("dryRun", flag("dryRun", dryRun));
            QueueAction action = QueueAction.named(actionPath[actionPath.length - 1]);
            action.checkFields(fields);
            Operator operator = new Operator(required("actor", actor), required("reason", reason));
            return action.run(new QueueAction.Request(target, actionPath, operator, fields));
        });
    }

    /**
     * Returns whether a flag is set, which the Actuator gives as a text; null for none. If it were a Boolean here, the Actuator would refuse other
     * texts without a reason.
     */
    private static @Nullable Boolean flag(String field, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        String text = value.toString();
        InputChecks.require(
                text.equals("true") || text.equals("false"),
                "the field '" + field + "' is '" + text + "': write true or false");
        return text.equals("true");
    }

    static String required(String field, @Nullable String value) {
        InputChecks.require(
                value != null, "the field '" + field + "' is missing: the audit log records the actor and the reason");
        return orEmpty(value);
    }

    static MessageId messageId(String id) {
        try {
            return MessageId.parse(id);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(String.valueOf(e.getMessage()));
        }
    }

    static String orEmpty(@Nullable String text) {
        return text == null ? "" : text; // the check of each value refuses an empty text, and names what is missing
    }

    private static QueueView view(Engine target, String name, List<QueueState> here) {
        try {
            return QueueView.of(name, target.control().isPaused(name), target.backlog(name), stateOf(name, here));
        } catch (TransientQueueException e) {
            return view(name, here);
        }
    }

    /** Returns what the engine has in memory. */
    private static QueueView view(String name, List<QueueState> here) {
        return QueueView.of(name, null, null, stateOf(name, here));
    }

    private static @Nullable QueueState stateOf(String name, List<QueueState> here) {
        return here.stream().filter(q -> q.queue().equals(name)).findFirst().orElse(null);
    }

    private WebEndpointResponse<Object> answer(@Nullable String engine, Function<Engine, Object> question) {
        try {
            Engine target = engines.engine(engine == null ? QueueEngines.MAIN : engine);
            if (target.health().database().isOutage()) {
                return refused(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "the database is away: try again later");
            }
            return new WebEndpointResponse<>(question.apply(target));
        } catch (QueueMisuseException e) {
            return refused(WebEndpointResponse.STATUS_BAD_REQUEST, e.getMessage());
        } catch (TransientQueueException e) {
            return refused(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, e.getMessage());
        }
    }

    static WebEndpointResponse<Object> refused(int status, @Nullable String problem) {
        return new WebEndpointResponse<>(Map.of("error", String.valueOf(problem)), status);
    }
}
