package io.acidq.dashboard.api;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.MessagePosition;
import io.acidq.admin.MessageQuery;
import io.acidq.admin.MessageTable;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Messages.MessageSlice;
import io.acidq.admin.Messages.ScheduledSlot;
import io.acidq.admin.Operator;
import io.acidq.admin.PrivilegedAction;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.PayloadMask.Masked;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.Json;
import io.acidq.dashboard.route.Parameters;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages: lists, single messages with the reason why they do not run, their content, and their cancellation. */
final class MessagesApi {

    private static final Logger LOG = LoggerFactory.getLogger(MessagesApi.class);
    private static final int PAGE = 50;
    private static final int MAX_PAGE = 200;
    private static final int SHOWN_BYTES = 4 * 1024;
    private static final MessagePosition FIRST_SCHEDULED =
            new MessagePosition(MessageTable.SCHEDULED, "1970-01-01T00:00:00Z", "0");
    private static final Duration LONG_AGO = Duration.ofDays(3_650);

    private final Fields fields;
    private final PayloadMask mask;

    MessagesApi(Fields fields, PayloadMask mask) {
        this.fields = fields;
        this.mask = mask;
    }

    List<Route> routes() {
        return List.of(
                Route.get(
                        Api.V1 + "messages",
                        Permission.VIEW,
                        Scope.QUEUE,
                        this::messages,
                        "queue",
                        "state",
                        "type",
                        "orderingKey",
                        "limit",
                        "after"),
                Route.get(
                        Api.V1 + "scheduled", Permission.VIEW, Scope.QUEUE, this::scheduled, "queue", "limit", "after"),
                Route.get(
                        Api.V1 + "scheduled/histogram",
                        Permission.VIEW,
                        Scope.QUEUE,
                        this::histogram,
                        "queue",
                        "range"),
                Route.get(Api.V1 + "message", Permission.VIEW, Scope.MESSAGE, this::message, "id"),
                Route.get(Api.V1 + "message/by-key", Permission.CONTENT, Scope.QUEUE, this::byKey, "queue", "key"),
                Route.get(Api.V1 + "message/content", Permission.CONTENT, Scope.MESSAGE, this::content, "id"),
                Route.get(Api.V1 + "message/bytes", Permission.UNMASKED, Scope.MESSAGE, this::bytes, "id"),
                Route.get(Api.V1 + "why", Permission.VIEW, Scope.MESSAGE, this::why, "id"),
                Route.post(Api.V1 + "message/cancel", Permission.OPERATE, Scope.MESSAGE, this::cancel, "id", "reason"));
    }

    /** A part of a list. The search by an ordering key shows that key, and so needs CONTENT as the search by a message key does. */
    private Answer messages(Call call) {
        String queue = Api.existingQueue(call);
        Parameters parameters = call.parameters();
        if (parameters.has("orderingKey") && !call.may(Permission.CONTENT, queue)) {
            throw RequestException.forbidden("user '" + call.user().name()
                    + "' lacks the permission CONTENT for queue '" + queue + "', which the search by a key needs");
        }
        int limit = parameters.number("limit", PAGE, 1, MAX_PAGE);
        MessageState state = parameters.choice("state", MessageState.class);
        MessageQuery first = parameters.checked(() -> new MessageQuery(
                queue, state, parameters.optional("type"), parameters.optional("orderingKey"), limit, null));
        String after = parameters.optional("after");
        MessageQuery query = after == null ? first : first.withAfter(Cursor.position(after, first.toString()));
        MessageSlice slice = call.database().call(engine -> engine.messages().list(query));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "messages",
                slice.messages().stream()
                        .map(each -> fields.message(call, each))
                        .toList());
        slice.next().ifPresent(next -> answer.put("after", Cursor.toText(next, first.toString())));
        slice.scanned().ifPresent(rows -> answer.put("scanned", rows));
        answer.put("complete", slice.next().isEmpty());
        return Answer.json(answer);
    }

    /** The scheduled messages, soonest due first, and with the first of them those that wait in the lanes: among many messages that are due, these may not all be found. */
    private Answer scheduled(Call call) {
        String queue = Api.existingQueue(call);
        int limit = call.parameters().number("limit", PAGE, 1, MAX_PAGE);
        MessageQuery waiting =
                MessageQuery.of(queue).withState(MessageState.WAITING).withLimit(limit);
        String after = call.parameters().optional("after");
        MessageQuery query =
                waiting.withAfter(after == null ? FIRST_SCHEDULED : Cursor.position(after, waiting.toString()));
        MessageSlice scheduled =
                call.database().call(engine -> engine.messages().list(query));
        MessageSlice lanes = after == null
                ? call.database().call(engine -> engine.messages().list(waiting))
                : new MessageSlice(List.of(), Optional.empty(), OptionalInt.empty());
        Map<MessageId, StoredMessage> found = new LinkedHashMap<>();
        scheduled.messages().forEach(each -> found.put(each.id(), each));
        lanes.messages().forEach(each -> found.put(each.id(), each));
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "messages",
                found.values().stream()
                        .sorted(Comparator.comparing(StoredMessage::dueAt))
                        .map(each -> fields.message(call, each))
                        .toList());
        scheduled.next().ifPresent(next -> answer.put("after", Cursor.toText(next, waiting.toString())));
        answer.put("complete", scheduled.next().isEmpty() && lanes.scanned().isEmpty());
        return Answer.json(answer);
    }

    /** How many messages are due when. Those that are due already wait for the due-message mover. */
    private Answer histogram(Call call) {
        String queue = Api.existingQueue(call);
        Range wanted = call.parameters().choice("range", Range.class);
        Range range = wanted == null ? Range.DAY : wanted;
        Histogram found = call.database().shared().get(List.of("histogram", queue, range), () -> {
            Instant now = call.database().now().truncatedTo(ChronoUnit.SECONDS);
            return call.database()
                    .call(engine -> new Histogram(
                            engine.messages()
                                    .scheduledBetween(queue, now.minus(LONG_AGO), now, 1)
                                    .get(0),
                            engine.messages().scheduledBetween(queue, now, now.plus(range.length), range.slots)));
        });
        Map<String, Object> answer = Api.answer(call);
        answer.put("overdue", slot(found.overdue()));
        answer.put("slots", found.slots().stream().map(MessagesApi::slot).toList());
        return Answer.polled(answer, found.toString());
    }

    private static Map<String, Object> slot(ScheduledSlot slot) {
        Map<String, Object> slotFields = new LinkedHashMap<>();
        slotFields.put("at", slot.from().toString());
        slotFields.put("until", slot.until().toString());
        slotFields.put("messages", slot.messages());
        slotFields.put("complete", slot.complete());
        return slotFields;
    }

    private record Histogram(ScheduledSlot overdue, List<ScheduledSlot> slots) {}

    /** How far the histogram looks ahead. */
    enum Range {
        HOUR(Duration.ofHours(1), 60),
        DAY(Duration.ofDays(1), 48),
        MONTH(Duration.ofDays(30), 60);

        private final Duration length;
        private final int slots;

        Range(Duration length, int slots) {
            this.length = length;
            this.slots = slots;
        }
    }

    private Answer message(Call call) {
        return message(call, existingMessageId(call));
    }

    private Answer byKey(Call call) {
        String queue = Api.existingQueue(call);
        String key = call.parameters().text("key");
        call.parameters().checked(() -> {
            InputChecks.checkWantedKey("key", key);
            return key;
        });
        return message(
                call,
                call.database()
                        .call(engine -> engine.messages().keyHolder(queue, key))
                        .orElseThrow(() ->
                                RequestException.notFound("no message of queue '" + queue + "' holds the key '" + key
                                        + "': it was never taken, or the time for which it stays taken is over")));
    }

    private Answer message(Call call, MessageId id) {
        Optional<StoredMessage> stored =
                call.database().call(engine -> engine.messages().find(id));
        Diagnosis diagnosis = call.database().call(engine -> engine.why(id));
        Map<String, Object> answer = Api.answer(call);
        if (stored.isPresent()) {
            answer.putAll(fields.message(call, stored.get()));
        } else {
            answer.putAll(fields.doneMessage(
                    call,
                    call.database()
                            .call(engine -> engine.archive().find(id))
                            .orElseThrow(() -> RequestException.notFound("message " + id + ": " + diagnosis.text()))));
        }
        if (stored.map(StoredMessage::state).filter(MessageState.DEAD::equals).isPresent()) {
            putError(call, id, answer);
        }
        answer.put("why", fields.diagnosis(call, diagnosis));
        answer.put("actions", actions(call, id.queue(), stored.map(StoredMessage::state)));
        return Answer.json(answer);
    }

    /** Adds the error of a dead letter, and its cause. */
    private void putError(Call call, MessageId id, Map<String, Object> answer) {
        deadLetter(call, id).ifPresent(letter -> {
            Map<String, Object> all = fields.deadLetter(call, letter);
            answer.put("cause", all.get("cause"));
            answer.put("error", all.get("error"));
        });
    }

    private static Optional<DeadLetter> deadLetter(Call call, MessageId id) {
        return call
                .database()
                .call(engine -> engine.deadLetters().list(DeadLetterFilter.of(id), DeadLetterPage.first(1)))
                .stream()
                .findFirst();
    }

    /** Returns the actions that the user may take on a message in its state. The action itself checks the state again. */
    private static List<String> actions(Call call, String queue, Optional<MessageState> state) {
        List<String> actions = new ArrayList<>();
        if (state.isPresent() && state.get() == MessageState.DEAD) {
            addIfPossible(call, queue, Permission.OPERATE, PrivilegedAction.REPLAY, "replay", actions);
            addIfPossible(call, queue, Permission.DESTROY, PrivilegedAction.EDIT, "edit", actions);
            addIfPossible(call, queue, Permission.DESTROY, PrivilegedAction.DISCARD, "discard", actions);
        } else if (state.isPresent()) {
            addIfPossible(call, queue, Permission.OPERATE, PrivilegedAction.CANCEL, "cancel", actions);
        }
        return actions;
    }

    private static void addIfPossible(
            Call call,
            String queue,
            Permission permission,
            PrivilegedAction privileged,
            String action,
            List<String> actions) {
        if (call.may(permission, queue) && !call.database().missingPrivileges().containsKey(privileged)) {
            actions.add(action);
        }
    }

    private Answer why(Call call) {
        MessageId id = existingMessageId(call);
        Map<String, Object> answer = Api.answer(call);
        answer.putAll(fields.diagnosis(call, call.database().call(engine -> engine.why(id))));
        return Answer.json(answer);
    }

    /** The content of a message. That of a dead letter says since when it is dead: an edit repeats it, and so is refused if the content may be another one by then. */
    private Answer content(Call call) {
        MessageId id = existingMessageId(call);
        DeadLetter letter = deadLetter(call, id).orElse(null);
        MessageContent content =
                letter == null ? read(call, id) : new MessageContent(letter.type(), letter.payload(), letter.headers());
        Map<String, Object> answer = Api.answer(call);
        answer.put("id", id.toString());
        if (letter != null) {
            answer.put("diedAt", letter.diedAt().toString());
        }
        answer.put("type", content.type());
        answer.put("size", content.payload().length);
        try {
            Masked masked = mask.mask(id.queue(), content.type(), content.headers(), content.payload());
            answer.put("mediaType", masked.mediaType());
            String text = masked.text();
            if (text != null) {
                answer.put("text", text);
                answer.put("truncated", masked.truncated());
                String stored = storedText(masked, content.payload());
                if (stored != null) {
                    answer.put("storedText", stored);
                }
            } else if (call.may(Permission.UNMASKED, id.queue())) {
                byte[] shown = Arrays.copyOf(content.payload(), Math.min(content.payload().length, SHOWN_BYTES));
                answer.put("base64", Base64.getEncoder().encodeToString(shown));
                answer.put("truncated", shown.length < content.payload().length);
            } else {
                answer.put(
                        "problem",
                        "the payload is not text, or the mask shows nothing of it; its bytes need the permission UNMASKED");
            }
            answer.put("masked", masked.masked());
            answer.put("headers", new TreeMap<>(masked.headers()));
        } catch (RuntimeException e) { // the mask of an application; what it has not masked must not be shown
            LOG.warn("The mask failed for message {}", id, e);
            answer.put("problem", "the mask failed, so nothing is shown; the log of the dashboard says why");
        }
        return Answer.json(answer);
    }

    /** The payload as it is stored, if it is JSON that is shown with other white space and says nothing else; null otherwise. */
    private static @Nullable String storedText(Masked masked, byte[] payload) {
        String text = masked.text();
        if (text == null || !masked.mediaType().equals("application/json")) {
            return null;
        }
        boolean isShown = masked.masked().isEmpty() && !masked.truncated();
        String stored = new String(payload, StandardCharsets.UTF_8);
        boolean isUtf8 = Arrays.equals(stored.getBytes(StandardCharsets.UTF_8), payload);
        return isShown && isUtf8 && !stored.equals(text) && Json.isSame(stored, text) ? stored : null;
    }

    private Answer bytes(Call call) {
        MessageId id = existingMessageId(call);
        return new Answer.Bytes("application/octet-stream", read(call, id).payload(), "payload.bin");
    }

    private static MessageContent read(Call call, MessageId id) {
        return call.database()
                .call(engine -> engine.messages()
                        .content(id)
                        .or(() -> engine.archive().find(id).map(MessagesApi::contentOf)))
                .orElseThrow(() -> RequestException.notFound("message " + id
                        + " is in none of the tables: done, cancelled or discarded, or its enqueue never committed"));
    }

    private static MessageContent contentOf(ArchivedMessage message) {
        return new MessageContent(message.type(), message.payload(), message.headers());
    }

    private Answer cancel(Call call) {
        MessageId id = existingMessageId(call);
        Operator operator = call.operator();
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("id", id.toString());
        answer.put(
                "result",
                call.database()
                        .call(engine -> engine.messages().cancel(id, operator))
                        .name());
        return Answer.json(answer);
    }

    private static MessageId existingMessageId(Call call) {
        MessageId id = call.parameters().messageId("id");
        if (!call.database().exists(id.queue())) {
            throw RequestException.notFound("there is no queue '" + id.queue() + "', and so no message " + id);
        }
        return id;
    }
}
