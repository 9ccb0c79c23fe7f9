package io.acidq.boot;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.Receipt;
import io.acidq.Receipts;
import io.acidq.TransientQueueException;
import io.acidq.admin.Backlog;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.Messages;
import io.acidq.admin.Operator;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.Subscriptions;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Subscriptions.Subscription;
import io.acidq.engine.Engine;
import io.acidq.engine.EngineDefinition;
import io.acidq.resilience.GuardState;
import io.acidq.spring.QueueEngines;
import io.acidq.store.InspectionStore.LivingNode;
import io.acidq.telemetry.EngineHealth;
import io.acidq.telemetry.QueueState;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
 * subscriptions. Each action is recorded in the audit table with the operator and the reason, except that a subscription is added without a source.
 */
@Endpoint(id = "acidq")
final class AcidqEndpoint {

    private static final int MOST_CAUSES = 20;
    private static final int MOST_BLOCKED_KEYS = 20;
    private static final int MOST_NODES = 1_000;
    private static final int MOST_QUEUES = 1_000;
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
                List<NodeView> nodes = EngineDefinition.of(target).store().inspection().livingNodes(MOST_NODES).stream()
                        .map(NodeView::of)
                        .toList();
                List<QueueView> queues = target.messages().queues(MOST_QUEUES).stream()
                        .map(q -> view(target, q.name(), here))
                        .toList();
                return Overview.of(
                        health,
                        nodes,
                        queues,
                        target.subscriptions().list().stream()
                                .map(SubscriptionView::of)
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
     * Returns a queue, with the most frequent causes of its dead letters and the first of its blocked ordering keys. With an id or a key it returns the
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
            List<DeadLetterGroup> causes = target.deadLetters().groups(queue, MOST_CAUSES);
            all.put("queue", view(target, queue, target.queues()));
            all.put("causes", causes);
            all.put(
                    "blockedKeys",
                    target.blockedKeys().list(queue, MOST_BLOCKED_KEYS).stream()
                            .map(AcidqEndpoint::view)
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
                    .map(AcidqEndpoint::view)
                    .orElseThrow(() -> new QueueMisuseException(
                            "no message of queue '" + queue + "' holds the key '" + key + "'"));
        }
        MessageId message = messageId(id);
        InputChecks.require(
                message.queue().equals(queue),
                "message " + id + " is not of queue '" + queue + "': GET /acidq/" + message.queue() + "?id=" + id);
        Map<String, Object> fields = receipts.find(message)
                .map(AcidqEndpoint::view)
                .orElseGet(() -> new LinkedHashMap<>(Map.of("id", id, "state", "NONE")));
        fields.put("committed", receipts.committed(message).name());
        return fields;
    }

    private static Map<String, Object> view(Receipt receipt) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", receipt.id().toString());
        fields.put("state", receipt.state().name());
        receipt.endedAt().ifPresent(at -> fields.put("endedAt", at.toString()));
        receipt.keptUntil().ifPresent(at -> fields.put("keptUntil", at.toString()));
        receipt.encodedResult().ifPresent(result -> fields.put("resultType", result.type()));
        return fields;
    }

    private static MessageId messageId(String id) {
        try {
            return MessageId.parse(id);
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Acts on a queue. A field that the action does not take is refused. The Actuator overwrites a path variable with a field of the body that has its name.
     * So the path variables have names that no request uses, and a field {@code queue} is refused as unknown.
     *
     * @param actionPath  the queue, and pause, resume, replay, discard, release, cancel, subscribe or unsubscribe; the last two need the queue of a subscription
     * @param engine      the name of the engine; the main engine if null
     * @param who         the operator's name
     * @param why         the reason
     * @param cause       for replay and discard: only dead letters of this cause, by its fingerprint
     * @param id          for replay and discard: only this message, as {@code queue~lane~uid}; for cancel: the message
     * @param key         for cancel: the message with this message key, instead of its id
     * @param orderingKey for release: the blocked ordering key
     * @param filter      for subscribe: which messages the subscription gets; all if null
     * @param source      for subscribe: the subscription of the topic whose messages it starts with; none if null
     * @param since       for subscribe with a source: when the first of these was published, such as 2031-05-01T12:00:00Z
     * @param remaining   for unsubscribe: KEEP, DRAIN or DISCARD
     * @param dryRun      for replay, discard and release: whether to report only what would be done; true if null
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(
            @Selector(match = Match.ALL_REMAINING) String[] actionPath,
            @Nullable String engine,
            @Nullable String who,
            @Nullable String why,
            @Nullable String cause,
            @Nullable String id,
            @Nullable String key,
            @Nullable String orderingKey,
            @Nullable String filter,
            @Nullable String source,
            @Nullable String since,
            @Nullable String remaining,
            @Nullable Boolean dryRun) {
        String pathAction = actionPath[actionPath.length - 1];
        String pathQueue = String.join(SEPARATOR, Arrays.copyOf(actionPath, actionPath.length - 1));
        return answer(engine, target -> {
            boolean onDeadLetters = pathAction.equals("replay") || pathAction.equals("discard");
            boolean isRelease = pathAction.equals("release");
            refuseFor(pathAction, "cause", onDeadLetters ? null : cause);
            boolean isCancel = pathAction.equals("cancel");
            refuseFor(pathAction, "id", onDeadLetters || isCancel ? null : id);
            refuseFor(pathAction, "key", isCancel ? null : key);
            refuseFor(pathAction, "orderingKey", isRelease ? null : orderingKey);
            refuseFor(pathAction, "filter", pathAction.equals("subscribe") ? null : filter);
            refuseFor(pathAction, "source", pathAction.equals("subscribe") ? null : source);
            refuseFor(pathAction, "since", pathAction.equals("subscribe") ? null : since);
            refuseFor(pathAction, "remaining", pathAction.equals("unsubscribe") ? null : remaining);
            refuseFor(pathAction, "dryRun", (onDeadLetters || isRelease) ? null : dryRun);
            Operator operator = new Operator(required("who", who), required("why", why));
            boolean isDryRun = !Boolean.FALSE.equals(dryRun);
            BulkAction bulk = isDryRun ? BulkAction.by(operator).asDryRun() : BulkAction.by(operator);
            return switch (pathAction) {
                case "pause" -> Map.of("changed", target.control().pause(pathQueue, operator));
                case "resume" -> Map.of("changed", target.control().resume(pathQueue, operator));
                case "replay" -> {
                    DeadLetterFilter letters = filter(pathQueue, id, cause);
                    yield result(target.deadLetters().replay(letters, bulk), letters);
                }
                case "discard" -> {
                    DeadLetterFilter letters = filter(pathQueue, id, cause);
                    yield result(target.deadLetters().discard(letters, bulk), letters);
                }
                case "subscribe" ->
                    source == null && since == null
                            ? Map.of(
                                    "changed",
                                    target.subscriptions()
                                            .subscribe(topic(actionPath), subscription(actionPath), orEmpty(filter)))
                            : Map.of(
                                    "copied",
                                    target.subscriptions()
                                            .subscribe(
                                                    topic(actionPath),
                                                    subscription(actionPath),
                                                    orEmpty(filter),
                                                    Subscriptions.fromArchive(orEmpty(source), time(since)),
                                                    operator));
                case "unsubscribe" ->
                    Map.of(
                            "changed",
                            target.subscriptions()
                                    .unsubscribe(
                                            topic(actionPath),
                                            subscription(actionPath),
                                            remaining(remaining),
                                            operator));
                case "cancel" -> cancel(target.messages(), pathQueue, id, key, operator);
                case "release" -> release(target.blockedKeys(), pathQueue, orEmpty(orderingKey), operator, isDryRun);
                default ->
                    throw new QueueMisuseException("there is no action '" + pathAction
                            + "': use pause, resume, replay, discard, release, cancel, subscribe or unsubscribe");
            };
        });
    }

    private static String topic(String[] actionPath) {
        InputChecks.require(
                actionPath.length == 3,
                "the action '" + actionPath[actionPath.length - 1]
                        + "' needs a topic and a subscription: POST /acidq/{topic}/{subscription}/"
                        + actionPath[actionPath.length - 1]);
        return actionPath[0];
    }

    private static String subscription(String[] actionPath) {
        return actionPath[1];
    }

    private static Instant time(@Nullable String since) {
        try {
            return Instant.parse(orEmpty(since));
        } catch (DateTimeParseException e) {
            throw new QueueMisuseException(
                    "since is '" + orEmpty(since)
                            + "', which is no instant: write the time from which messages are copied, such as 2031-05-01T12:00:00Z",
                    e);
        }
    }

    private static Remaining remaining(@Nullable String name) {
        try {
            return Remaining.valueOf(orEmpty(name).toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new QueueMisuseException(
                    "remaining is '" + orEmpty(name) + "': say KEEP, DRAIN or DISCARD for the messages that are left",
                    e);
        }
    }

    private static void refuseFor(String action, String field, @Nullable Object value) {
        InputChecks.require(value == null, "the action '" + action + "' takes no field '" + field + "': leave it out");
    }

    private static DeadLetterFilter filter(String queue, @Nullable String id, @Nullable String cause) {
        MessageId message = id == null ? null : messageId(id);
        return new DeadLetterFilter(queue, message, cause, null, null, null, null, null);
    }

    private static Map<String, Object> result(BulkResult result, DeadLetterFilter filter) {
        if (filter.id() != null && result.matched() == 0) {
            throw new QueueMisuseException("message " + filter.id() + " is no dead letter that matches: acidq why "
                    + filter.id() + " shows its state");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("dryRun", result.dryRun());
        fields.put("matched", result.matched());
        fields.put(result.dryRun() ? "wouldChange" : "changed", result.changed());
        fields.put("lost", result.lost());
        fields.put("keyTaken", result.keyTaken());
        fields.put("beyondLimit", result.beyondLimit());
        return fields;
    }

    private static Map<String, Object> cancel(
            Messages messages, String queue, @Nullable String id, @Nullable String key, Operator operator) {
        InputChecks.require(
                (id == null) != (key == null), "the action 'cancel' needs one of the fields 'id' and 'key', not both");
        MessageId wanted = id == null
                ? messages.findByKey(queue, orEmpty(key))
                        .map(StoredMessage::id)
                        .orElseThrow(() -> new QueueMisuseException(
                                "no current message of queue '" + queue + "' holds the key '" + key + "'"))
                : Objects.requireNonNull(filter(queue, id, null).id());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", String.valueOf(wanted));
        fields.put("result", messages.cancel(wanted, operator).name());
        return fields;
    }

    private static Map<String, Object> release(
            BlockedKeys blockedKeys, String queue, String orderingKey, Operator operator, boolean dryRun) {
        BlockedKey blocked = blockedKeys
                .find(queue, orderingKey)
                .orElseThrow(() -> new QueueMisuseException("ordering key '" + orderingKey + "' of queue '" + queue
                        + "' is not blocked by a dead letter: GET /acidq/" + queue + " shows the blocked keys"));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("dryRun", dryRun);
        if (dryRun) {
            fields.put("wouldChange", true);
        } else {
            fields.put("changed", blockedKeys.release(blocked, operator));
        }
        fields.putAll(view(blocked));
        return fields;
    }

    private static Map<String, Object> view(BlockedKey key) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("orderingKey", key.orderingKey());
        fields.put("deadLetter", key.head().toString());
        fields.put("since", key.since().toString());
        fields.put("waiting", key.waiting());
        fields.put("error", key.error());
        return fields;
    }

    private static String required(String field, @Nullable String value) {
        InputChecks.require(
                value != null,
                "the field '" + field + "' is missing: who acts, and why, are recorded in the audit log");
        return orEmpty(value);
    }

    private static String orEmpty(@Nullable String text) {
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

    /**
     * An engine.
     *
     * @param node      the number of its node; 0 if it is no node
     * @param nodes     all living nodes of the database; empty during an outage
     * @param database  the state of the database as the engine sees it
     * @param lasting   how long the database has been in this state
     * @param lastError the last error of an access to the database
     * @param queues    all queues of the database; during an outage those that this engine has used
     * @param subscriptions all subscriptions of topics; empty during an outage
     */
    record Overview(
            int node,
            List<NodeView> nodes,
            String database,
            String lasting,
            @Nullable String lastError,
            List<QueueView> queues,
            List<SubscriptionView> subscriptions) {

        static Overview of(
                EngineHealth health,
                List<NodeView> nodes,
                List<QueueView> queues,
                List<SubscriptionView> subscriptions) {
            return new Overview(
                    health.node(),
                    nodes,
                    health.database().name(),
                    health.inStateFor().toString(),
                    health.lastError().orElse(null),
                    queues,
                    subscriptions);
        }
    }

    /**
     * A living node.
     *
     * @param node    its number
     * @param host    its process and host
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
     * A subscription of a topic.
     *
     * @param queue    the name of its queue
     * @param filter   which messages it gets; empty for all
     * @param draining whether it gets no more messages, and is removed when it has none
     * @param since    when it was added
     */
    record SubscriptionView(
            String topic, String subscription, String queue, String filter, boolean draining, String since) {

        static SubscriptionView of(Subscription each) {
            return new SubscriptionView(
                    each.topic(),
                    each.name(),
                    each.queue(),
                    each.filter(),
                    each.draining(),
                    each.since().toString());
        }
    }

    /**
     * A queue.
     *
     * @param paused   whether it is paused in the database; null if unknown
     * @param backlog  its messages in the database; null if unknown
     * @param listener its listener in this engine; null if there is none
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
     * The messages of a queue by state.
     *
     * @param high          how many of the ready messages have the priority HIGH
     * @param low           how many of the ready messages have the priority LOW
     * @param complete      whether the numbers are exact; otherwise they are lower bounds
     * @param oldestSeconds how long ago the oldest unclaimed message was first due; null if there is none
     */
    record BacklogView(
            int ready,
            int running,
            int waiting,
            int scheduled,
            int dead,
            int high,
            int low,
            boolean complete,
            @Nullable Double oldestSeconds) {

        static BacklogView of(Backlog backlog) {
            return new BacklogView(
                    backlog.ready(),
                    backlog.running(),
                    backlog.waiting(),
                    backlog.scheduled(),
                    backlog.dead(),
                    backlog.high(),
                    backlog.low(),
                    backlog.isComplete(),
                    backlog.oldest().map(age -> age.toMillis() / 1e3).orElse(null));
        }
    }

    /**
     * A listener of this engine.
     *
     * @param workers       the current number of its workers
     * @param running       the number of running messages
     * @param claimed       the number of messages that are claimed and have not started
     * @param claimStrategy the strategy of its claims
     * @param suspect       the suspect message, or null
     * @param guards        descriptions of its breaker, rate limit and bulkhead
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
