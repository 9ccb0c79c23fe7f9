package io.acidq.dashboard.api;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.MessageRejectedException;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.AuditQuery;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroupFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.DeadLetters.DeadLetterGroups;
import io.acidq.admin.DeadLetters.DeadLetterSlice;
import io.acidq.admin.Operator;
import io.acidq.admin.Views;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.PayloadMask.Masked;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.api.Cursor.TimeAndUid;
import io.acidq.dashboard.read.BulkActions.Kind;
import io.acidq.dashboard.read.Sampler.Sample;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Json;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import io.acidq.engine.Engine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters: their list, their replay, their edit and their discard. An action on more than 1,000 letters, or of more than 20 seconds at its rate,
 * goes on after the answer. An action without {@code "dryRun": false} only says what it would do, and up to which time it counted: the action itself repeats
 * that time and the number, so that it never changes more than the user has seen.
 */
final class DeadLettersApi {

    private static final int PAGE = 50; // a list reads payloads too
    private static final int MAX_GROUPS = 500;
    private static final int COUNTED_OF_MANY = 1_000;
    private static final int COUNTED_OF_ONE = 10_000;
    private static final int LATEST_REPLAYS = 200;
    private static final Pattern PARTIAL_FILTER = Pattern.compile(" (cause|type|key|orderingKey)=");
    private static final int MAX_IDS = 200;
    private static final int AT_ONCE = 1_000;
    private static final int SECONDS_AT_ONCE = 20;
    private static final int MAX_OF_OPERATORS = 10_000;
    private static final int MAX_LIMIT = 100_000;
    private static final int MAX_RATE = 10_000;

    private final Fields fields;
    private final PayloadMask mask;
    private final BulkApi bulk;

    DeadLettersApi(Fields fields, PayloadMask mask, BulkApi bulk) {
        this.fields = fields;
        this.mask = mask;
        this.bulk = bulk;
    }

    List<Route> routes() {
        String[] names = {
            "queue",
            "ids",
            "cause",
            "type",
            "key",
            "orderingKey",
            "since",
            "until",
            "limit",
            "rate",
            "reason",
            "dryRun",
            "matched"
        };
        return List.of(
                Route.get(
                        Api.V1 + "dead",
                        Permission.VIEW,
                        Scope.QUEUE,
                        this::list,
                        "queue",
                        "cause",
                        "type",
                        "key",
                        "orderingKey",
                        "since",
                        "until",
                        "limit",
                        "after"),
                Route.get(
                        Api.V1 + "dead/groups",
                        Permission.VIEW,
                        Scope.QUEUE_IF_GIVEN,
                        this::groups,
                        "queue",
                        "cause",
                        "limit"),
                Route.post(
                        Api.V1 + "dead/replay",
                        Permission.OPERATE,
                        Scope.QUEUE,
                        call -> bulk(call, Kind.REPLAY),
                        names),
                Route.post(
                        Api.V1 + "dead/discard",
                        Permission.DESTROY,
                        Scope.QUEUE,
                        call -> bulk(call, Kind.DISCARD),
                        names),
                Route.post(
                        Api.V1 + "dead/edit",
                        Permission.DESTROY,
                        Scope.MESSAGE,
                        this::edit,
                        "id",
                        "diedAt",
                        "payload",
                        "payloadBase64",
                        "headers",
                        "reason"));
    }

    /** Replays a dead letter with another content. Who has not seen its content cannot edit it: what was masked would be stored as the mask shows it. */
    private Answer edit(Call call) {
        Parameters parameters = call.parameters();
        MessageId id = parameters.messageId("id");
        Instant diedAt = parameters.time("diedAt");
        byte[] payload = parameters.has("payloadBase64")
                ? parameters.base64("payloadBase64")
                : parameters.anyText("payload").getBytes(StandardCharsets.UTF_8);
        Operator operator = call.operator();
        Map<String, String> headers = parameters.texts("headers");
        if (diedAt == null) {
            throw RequestException.invalid("the parameter 'diedAt' is missing: take it from the dead letter");
        }
        if (!call.database().exists(id.queue())) {
            throw RequestException.notFound("there is no queue '" + id.queue() + "', and so no message " + id);
        }
        DeadLetter letter = call
                .database()
                .call(engine -> engine.deadLetters().list(DeadLetterFilter.of(id), DeadLetterPage.first(1)))
                .stream()
                .filter(found -> found.diedAt().equals(diedAt))
                .findFirst()
                .orElseThrow(() -> RequestException.conflict("message " + id + " is no dead letter since " + diedAt
                        + " any more: it was replayed, edited or discarded since; look at it again"));
        checkItMayBeEdited(call, letter, payload);
        checkItChanges(letter, payload, headers);
        boolean changed;
        try {
            changed = call.database()
                    .call(engine -> headers == null
                            ? engine.deadLetters().editAndReplay(letter, payload, operator)
                            : engine.deadLetters().editAndReplay(letter, payload, headers, operator));
        } catch (MessageRejectedException e) {
            throw new RequestException(422, String.valueOf(e.getMessage()));
        }
        if (!changed) {
            throw RequestException.conflict(
                    "message " + id + " was not replayed: another process replayed or discarded it first");
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id.toString());
        answer.put("changed", true);
        return Answer.json(answer);
    }

    private void checkItMayBeEdited(Call call, DeadLetter letter, byte[] payload) {
        Masked masked;
        try {
            masked = mask.mask(letter.id().queue(), letter.type(), letter.headers(), letter.payload());
        } catch (RuntimeException e) { // the mask of an application
            throw new RequestException(
                    422,
                    "the mask failed for message " + letter.id()
                            + ", so it cannot be edited: the user could not see its content");
        }
        boolean isSeen = masked.masked().isEmpty() && !masked.truncated();
        if (!isSeen && !call.may(Permission.UNMASKED, letter.id().queue())) {
            throw RequestException.forbidden("user '" + call.user().name() + "' lacks the permission UNMASKED, and "
                    + (masked.masked().isEmpty()
                            ? "the payload is longer than what is shown"
                            : String.join(", ", masked.masked()) + " is masked")
                    + ": an edit would lose what is not shown");
        }
        if (masked.mediaType().equals("application/json") && !Json.isJson(payload)) {
            throw new RequestException(
                    422, "the payload of message " + letter.id() + " is JSON, and the new one is not: correct it");
        }
    }

    private static void checkItChanges(DeadLetter letter, byte[] payload, @Nullable Map<String, String> headers) {
        boolean samePayload = Arrays.equals(letter.payload(), payload)
                || Json.isSame(
                        new String(letter.payload(), StandardCharsets.UTF_8),
                        new String(payload, StandardCharsets.UTF_8));
        if (samePayload && (headers == null || headers.equals(letter.headers()))) {
            throw new RequestException(
                    422,
                    "the edit of message " + letter.id()
                            + " changes nothing, or only white space: change something, or replay the message as it is");
        }
    }

    /** The causes of a queue, or of all queues that the user may see. The letters of a cause alone are counted further. */
    private Answer groups(Call call) {
        Parameters parameters = call.parameters();
        List<String> queues = parameters.has("queue") ? List.of(Api.existingQueue(call)) : visibleQueues(call);
        String cause = parameters.optional("cause");
        int limit = parameters.number("limit", PAGE, 1, MAX_GROUPS);
        DeadLetterGroupFilter filter = parameters.checked(() ->
                new DeadLetterGroupFilter(queues, cause, limit, cause == null ? COUNTED_OF_MANY : COUNTED_OF_ONE));
        ShownGroups shown = call.database()
                .shared()
                .get(
                        filter,
                        () -> call.database().call(engine -> {
                            DeadLetterGroups found = engine.deadLetters().groups(filter);
                            return new ShownGroups(found, replays(engine, found.groups()));
                        }));
        List<DeadLetterGroup> groups = shown.found().groups().stream()
                .filter(group -> call.sees(group.queue()))
                .toList();
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "groups",
                groups.stream()
                        .map(group -> {
                            Map<String, Object> all = fields.deadLetterGroup(group);
                            LastReplay last = shown.replays().get(group);
                            if (last != null) {
                                all.put("lastReplayed", last.toFields());
                            }
                            return all;
                        })
                        .toList());
        answer.put("complete", shown.found().complete());
        return Answer.polled(
                answer, groups + " " + shown.replays() + " " + shown.found().complete());
    }

    /** The last bulk replay of each group, if it is among the latest ones, and how many were dead-lettered with the same cause since. */
    private static Map<DeadLetterGroup, LastReplay> replays(Engine engine, List<DeadLetterGroup> groups) {
        List<AuditEntry> entries = groups.isEmpty()
                ? List.of()
                : engine.audit()
                        .list(AuditQuery.all().withAction(Kind.REPLAY.word()).withLimit(LATEST_REPLAYS))
                        .entries();
        Map<DeadLetterGroup, LastReplay> replays = new HashMap<>();
        for (DeadLetterGroup group : groups) {
            for (AuditEntry entry : entries) {
                if (isReplayOf(group, entry)) {
                    replays.put(
                            group,
                            new LastReplay(entry.at(), entry.actor(), deadLettersSince(engine, group, entry.at())));
                    break;
                }
            }
        }
        return replays;
    }

    /** Whether an entry is a bulk replay of the cause, or of all dead letters of the queue. */
    private static boolean isReplayOf(DeadLetterGroup group, AuditEntry entry) {
        String filter = entry.filter();
        return entry.message().isEmpty()
                && entry.queue().equals(group.queue())
                && (filter.contains(" cause=" + group.cause())
                        || !PARTIAL_FILTER.matcher(filter).find());
    }

    private static int deadLettersSince(Engine engine, DeadLetterGroup group, Instant at) {
        return group.lastDiedAt().isBefore(at)
                ? 0
                : engine.deadLetters()
                        .count(
                                DeadLetterFilter.of(group.queue())
                                        .withCause(group.cause())
                                        .diedBetween(at, BulkApi.FAR),
                                COUNTED_OF_MANY);
    }

    private record ShownGroups(DeadLetterGroups found, Map<DeadLetterGroup, LastReplay> replays) {}

    private record LastReplay(Instant at, String actor, int deadLettersSince) {

        Map<String, Object> toFields() {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("at", at.toString());
            all.put("actor", actor);
            all.put("deadLettersSince", deadLettersSince);
            return all;
        }
    }

    /** The queues that a policy leaves to the user; empty if it leaves all, so that the queues need not be known. */
    private static List<String> visibleQueues(Call call) {
        Sample sample = call.database().sampler().sample();
        List<String> visible =
                sample.queues().keySet().stream().filter(call::sees).toList();
        return visible.size() == sample.queues().size() ? List.of() : visible;
    }

    /** The list, newest first. Those that an index does not find are looked for among 10,000 letters, and the list continues there. */
    private Answer list(Call call) {
        String queue = Api.existingQueue(call);
        Parameters parameters = call.parameters();
        int limit = parameters.number("limit", PAGE, 1, PAGE);
        checkKeysMayBeSearched(call, queue);
        DeadLetterFilter filter = filter(queue, parameters, parameters.time("until"));
        String after = parameters.optional("after");
        DeadLetterPage page = DeadLetterPage.newestFirst(limit);
        if (after != null) {
            TimeAndUid cursor = Cursor.timeAndUid(after, filter.toString());
            page = new DeadLetterPage(limit, cursor.at(), cursor.uid(), true);
        }
        DeadLetterPage wanted = page;
        DeadLetterSlice slice =
                call.database().call(engine -> engine.deadLetters().slice(filter, wanted));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "deadLetters",
                slice.letters().stream()
                        .map(letter -> fields.deadLetter(call, letter))
                        .toList());
        DeadLetterPage next = slice.next().orElse(null);
        if (next != null && next.afterDiedAt() != null && next.afterUid() != null) {
            answer.put("after", Cursor.toText(new TimeAndUid(next.afterDiedAt(), next.afterUid()), filter.toString()));
        }
        slice.scanned().ifPresent(rows -> answer.put("scanned", rows));
        answer.put("complete", next == null);
        return Answer.json(answer);
    }

    private static void checkKeysMayBeSearched(Call call, String queue) {
        Parameters parameters = call.parameters();
        if ((parameters.has("key") || parameters.has("orderingKey")) && !call.may(Permission.CONTENT, queue)) {
            throw RequestException.forbidden("user '" + call.user().name()
                    + "' lacks the permission CONTENT for queue '" + queue + "', which a filter by a key needs");
        }
    }

    private static DeadLetterFilter filter(String queue, Parameters parameters, @Nullable Instant until) {
        return parameters.checked(() -> new DeadLetterFilter(
                queue,
                null,
                parameters.optional("cause"),
                parameters.optional("type"),
                parameters.optional("key"),
                parameters.optional("orderingKey"),
                parameters.time("since"),
                until));
    }

    private Answer bulk(Call call, Kind kind) {
        String queue = Api.existingQueue(call);
        Parameters parameters = call.parameters();
        boolean dryRun = parameters.flag("dryRun", true);
        BulkAction action = action(call);
        List<MessageId> ids = parameters.messageIds("ids", MAX_IDS);
        if (!ids.isEmpty()) {
            return Answer.json(result(queue, each(call, kind, queue, ids, dryRun ? action.asDryRun() : action)));
        }
        checkKeysMayBeSearched(call, queue);
        Instant until = parameters.time("until");
        if (until == null) {
            if (!dryRun) {
                throw RequestException.invalid(
                        "the parameter 'until' is missing: take it, and 'matched', from the answer of the dry run");
            }
            until = call.database().now();
        }
        DeadLetterFilter filter = filter(queue, parameters, until);
        long seen = dryRun ? 0 : parameters.count("matched");
        BulkResult result = run(call, kind, filter, action.asDryRun());
        if (!dryRun) {
            if (result.matched() > seen) {
                throw RequestException.conflict(result.matched() + " dead letters match now, and " + seen
                        + " did in the dry run: make another one");
            }
            if (takesLong(action)) {
                return Answer.accepted(bulk.fieldsOf(
                        call, call.database().bulkActions().start(kind, filter, action, result.matched())));
            }
            result = run(call, kind, filter, action);
        }
        Map<String, Object> answer = result(queue, result);
        answer.put("until", until.toString());
        return Answer.json(answer);
    }

    /** Whether an action goes on after the answer. */
    private static boolean takesLong(BulkAction action) {
        return action.limit() > AT_ONCE
                || (action.perSecond() > 0 && action.limit() > action.perSecond() * SECONDS_AT_ONCE);
    }

    private static BulkAction action(Call call) {
        Parameters parameters = call.parameters();
        int limit = parameters.number("limit", AT_ONCE, 1, MAX_LIMIT);
        int rate = parameters.number("rate", 0, 0, MAX_RATE);
        if (limit > MAX_OF_OPERATORS && !call.may(Permission.DESTROY, parameters.queue())) {
            throw RequestException.forbidden("user '" + call.user().name()
                    + "' lacks the permission DESTROY, which more than " + MAX_OF_OPERATORS
                    + " dead letters at once need: lower 'limit'");
        }
        return BulkAction.by(call.operator()).withLimit(limit).withPerSecond(rate);
    }

    private static BulkResult each(Call call, Kind kind, String queue, List<MessageId> ids, BulkAction action) {
        for (String name : List.of("cause", "type", "key", "orderingKey", "since", "until", "matched")) {
            if (call.parameters().has(name)) {
                throw RequestException.invalid(
                        "'ids' and '" + name + "' are both given: act on ids, or on what a filter selects");
            }
        }
        long matched = 0;
        int changed = 0;
        int lost = 0;
        int keyTaken = 0;
        for (MessageId id : ids) {
            call.parameters().checked(() -> {
                InputChecks.require(id.queue().equals(queue), "message " + id + " is not of queue '" + queue + "'");
                return id;
            });
        }
        for (MessageId id : ids) {
            BulkResult one = run(call, kind, DeadLetterFilter.of(id), action);
            matched += one.matched();
            changed += one.changed();
            lost += one.lost();
            keyTaken += one.keyTaken();
        }
        return new BulkResult(action.dryRun(), matched, changed, lost, keyTaken);
    }

    private static BulkResult run(Call call, Kind kind, DeadLetterFilter filter, BulkAction action) {
        return call.database()
                .call(engine -> kind == Kind.REPLAY
                        ? engine.deadLetters().replay(filter, action)
                        : engine.deadLetters().discard(filter, action));
    }

    private Map<String, Object> result(String queue, BulkResult result) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("queue", queue);
        answer.putAll(Views.bulkResult(result));
        return answer;
    }
}
