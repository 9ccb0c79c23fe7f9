package io.acidq.dashboard.api;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.Backlog;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Operator;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.dashboard.access.PayloadMask;
import io.acidq.dashboard.access.PayloadMask.Masked;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final Fields fields;
    private final PayloadMask mask;

    MessagesApi(Fields fields, PayloadMask mask) {
        this.fields = fields;
        this.mask = mask;
    }

    List<Route> routes() {
        return List.of(
                Route.get(Api.V1 + "messages", Permission.VIEW, Scope.QUEUE, this::messages, "queue", "state", "limit"),
                Route.get(Api.V1 + "scheduled", Permission.VIEW, Scope.QUEUE, this::scheduled, "queue", "limit"),
                Route.get(Api.V1 + "message", Permission.VIEW, Scope.MESSAGE, this::message, "id"),
                Route.get(Api.V1 + "message/by-key", Permission.CONTENT, Scope.QUEUE, this::byKey, "queue", "key"),
                Route.get(Api.V1 + "message/content", Permission.CONTENT, Scope.MESSAGE, this::content, "id"),
                Route.get(Api.V1 + "message/bytes", Permission.UNMASKED, Scope.MESSAGE, this::bytes, "id"),
                Route.get(Api.V1 + "why", Permission.VIEW, Scope.MESSAGE, this::why, "id"),
                Route.post(Api.V1 + "message/cancel", Permission.OPERATE, Scope.MESSAGE, this::cancel, "id", "reason"));
    }

    private Answer messages(Call call) {
        return list(call, call.parameters().choice("state", MessageState.class), null);
    }

    /** The messages that wait for their due time, and for their next attempt. */
    private Answer scheduled(Call call) {
        return list(call, MessageState.WAITING, Comparator.comparing(StoredMessage::dueAt));
    }

    private Answer list(Call call, @Nullable MessageState state, @Nullable Comparator<StoredMessage> order) {
        String queue = Api.existingQueue(call);
        int limit = call.parameters().number("limit", PAGE, 1, MAX_PAGE);
        List<StoredMessage> found =
                new ArrayList<>(call.database().call(engine -> engine.messages().list(queue, state, limit)));
        if (order != null) {
            found.sort(order);
        }
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "messages",
                found.stream().map(each -> fields.message(call, each)).toList());
        answer.put("complete", found.size() < limit && isLookedAtWhole(call, queue, state));
        return Answer.json(answer);
    }

    /** Whether the list has looked at all messages of the lanes; it looks at the first 10,000 for the states that are not in an index. */
    private static boolean isLookedAtWhole(Call call, String queue, @Nullable MessageState state) {
        if (state != MessageState.READY && state != MessageState.WAITING) {
            return true;
        }
        Backlog backlog = call.database().sampler().queue(queue).backlog();
        return backlog != null && backlog.isComplete();
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
                        .call(engine -> engine.messages().findByKey(queue, key))
                        .map(StoredMessage::id)
                        .orElseThrow(() -> RequestException.notFound(
                                "no current message of queue '" + queue + "' holds the key '" + key + "'")));
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
        List<DeadLetter> letters = call.database()
                .call(engine -> engine.deadLetters().list(DeadLetterFilter.of(id), DeadLetterPage.first(1)));
        for (DeadLetter letter : letters) {
            Map<String, Object> all = fields.deadLetter(call, letter);
            answer.put("cause", all.get("cause"));
            answer.put("error", all.get("error"));
        }
    }

    /** What the user may do with a message in its state. The act itself looks again. */
    private static List<String> actions(Call call, String queue, Optional<MessageState> state) {
        List<String> actions = new ArrayList<>();
        if (state.isEmpty()) {
            return actions;
        }
        if (state.get() == MessageState.DEAD) {
            if (call.may(Permission.OPERATE, queue)) {
                actions.add("replay");
            }
            if (call.may(Permission.DESTROY, queue)) {
                actions.add("discard");
            }
        } else if (call.may(Permission.OPERATE, queue)) {
            actions.add("cancel");
        }
        return actions;
    }

    private Answer why(Call call) {
        MessageId id = existingMessageId(call);
        Map<String, Object> answer = Api.answer(call);
        answer.putAll(fields.diagnosis(call, call.database().call(engine -> engine.why(id))));
        return Answer.json(answer);
    }

    private Answer content(Call call) {
        MessageId id = existingMessageId(call);
        MessageContent content = read(call, id);
        Map<String, Object> answer = Api.answer(call);
        answer.put("id", id.toString());
        answer.put("type", content.type());
        answer.put("size", content.payload().length);
        try {
            Masked masked = mask.mask(id.queue(), content.type(), content.headers(), content.payload());
            answer.put("mediaType", masked.mediaType());
            String text = masked.text();
            if (text != null) {
                answer.put("text", text);
                answer.put("truncated", masked.truncated());
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
