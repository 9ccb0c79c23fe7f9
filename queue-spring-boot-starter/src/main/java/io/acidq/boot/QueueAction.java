package io.acidq.boot;

import io.acidq.InputChecks;
import io.acidq.MessageId;
import io.acidq.QueueMisuseException;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Messages;
import io.acidq.admin.Messages.BulkCancellation;
import io.acidq.admin.Operator;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.Subscriptions;
import io.acidq.admin.Subscriptions.Remaining;
import io.acidq.admin.Views;
import io.acidq.engine.Engine;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An action of an operator on a queue, as the endpoint {@code acidq} offers it: the fields of the request that it takes besides actor and reason, and what it does. */
enum QueueAction {
    PAUSE(QueueAction::pause),
    RESUME(QueueAction::resume),
    REPLAY(QueueAction::replay, "cause", "id", "dryRun"),
    DISCARD(QueueAction::discard, "cause", "id", "dryRun"),
    RELEASE(QueueAction::release, "orderingKey", "dryRun"),
    CANCEL(QueueAction::cancel, "id", "key", "type", "orderingKey", "before", "claimed", "dryRun"),
    SUBSCRIBE(QueueAction::subscribe, "filter", "fromArchive", "since"),
    UNSUBSCRIBE(QueueAction::unsubscribe, "remaining");

    @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
    private final Function<Request, Map<String, Object>> work;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> fields;

    QueueAction(Function<Request, Map<String, Object>> work, String... fields) {
        this.work = work;
        this.fields = List.of(fields);
    }

    /**
     * Returns the action of a path.
     *
     * @throws QueueMisuseException when there is none of this name
     */
    static QueueAction named(String name) {
        return Arrays.stream(values())
                .filter(action -> action.nameInPath().equals(name))
                .findFirst()
                .orElseThrow(() -> new QueueMisuseException("there is no action '" + name
                        + "': use pause, resume, replay, discard, release, cancel, subscribe or unsubscribe"));
    }

    private String nameInPath() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Checks that a request gives no field that the action does not take.
     *
     * @param given the fields by their names; null for one that is not given
     */
    void checkFields(Map<String, @Nullable Object> given) {
        given.forEach((field, value) -> InputChecks.require(
                value == null || fields.contains(field),
                "the action '" + nameInPath() + "' takes no field '" + field + "': leave it out"));
    }

    /** Runs the action and returns the answer of the endpoint. */
    Map<String, Object> run(Request request) {
        return work.apply(request);
    }

    private static Map<String, Object> pause(Request request) {
        return Map.of("changed", request.engine.control().pause(request.queue(), request.operator));
    }

    private static Map<String, Object> resume(Request request) {
        return Map.of("changed", request.engine.control().resume(request.queue(), request.operator));
    }

    private static Map<String, Object> replay(Request request) {
        DeadLetterFilter letters = request.letters();
        return result(request.engine.deadLetters().replay(letters, request.bulk()), letters);
    }

    private static Map<String, Object> discard(Request request) {
        DeadLetterFilter letters = request.letters();
        return result(request.engine.deadLetters().discard(letters, request.bulk()), letters);
    }

    private static Map<String, Object> result(BulkResult result, DeadLetterFilter filter) {
        if (filter.id() != null && result.matched() == 0) {
            throw new QueueMisuseException("message " + filter.id() + " is no dead letter that matches: acidq why "
                    + filter.id() + " shows its state");
        }
        return Views.bulkResult(result);
    }

    private static Map<String, Object> release(Request request) {
        String queue = request.queue();
        String orderingKey = request.required("orderingKey", "it names the key to release");
        BlockedKeys blockedKeys = request.engine.blockedKeys();
        BlockedKey blocked = blockedKeys
                .find(queue, orderingKey)
                .orElseThrow(() -> new QueueMisuseException("ordering key '" + orderingKey + "' of queue '" + queue
                        + "' is not blocked by a dead letter: GET …/actuator/acidq/" + queue
                        + " shows the blocked keys"));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("dryRun", request.isDryRun());
        if (request.isDryRun()) {
            fields.put("wouldChange", true);
        } else {
            fields.put("changed", blockedKeys.release(blocked, request.operator));
        }
        fields.putAll(Views.blockedKey(blocked));
        return fields;
    }

    private static Map<String, Object> cancel(Request request) {
        String id = request.text("id");
        String key = request.text("key");
        boolean forOne = (id == null) != (key == null);
        InputChecks.require(
                forOne ? request.hasNoFilter() : id == null && !request.hasNoFilter(),
                "the action 'cancel' needs one of the fields 'id' and 'key' for one message, or some of 'type', 'orderingKey', 'before', 'claimed' and 'dryRun' for those that match");
        if (!forOne) {
            return cancelMatching(request);
        }
        Messages messages = request.engine.messages();
        MessageId wanted = id == null
                ? messages.findByKey(request.queue(), AcidqEndpoint.orEmpty(key))
                        .map(StoredMessage::id)
                        .orElseThrow(() -> new QueueMisuseException(
                                "no current message of queue '" + request.queue() + "' holds the key '" + key + "'"))
                : request.message();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", String.valueOf(wanted));
        fields.put("result", messages.cancel(wanted, request.operator).name());
        return fields;
    }

    private static Map<String, Object> cancelMatching(Request request) {
        BulkCancellation result = request.engine
                .messages()
                .cancel(
                        new MessageFilter(
                                request.queue(),
                                request.text("type"),
                                request.text("orderingKey"),
                                request.text("before") == null ? null : request.time("before"),
                                Boolean.TRUE.equals(request.fields.get("claimed"))),
                        request.bulk());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("dryRun", result.dryRun());
        fields.put("cancelled", result.cancelled());
        fields.put("requested", result.requested());
        fields.put("lost", result.lost());
        fields.put("complete", result.complete());
        return fields;
    }

    private static Map<String, Object> subscribe(Request request) {
        Subscriptions subscriptions = request.engine.subscriptions();
        String filter = request.textOrEmpty("filter");
        if (request.text("fromArchive") == null && request.text("since") == null) {
            return Map.of("changed", subscriptions.subscribe(request.topic(), request.subscription(), filter));
        }
        for (String field : List.of("fromArchive", "since")) {
            InputChecks.require(
                    request.text(field) != null,
                    "the field '" + field
                            + "' is missing: to start from an archive, give 'fromArchive', a subscription of the topic, and"
                            + " 'since', a time such as 2031-05-01T12:00:00Z; to start with later messages, give neither");
        }
        return Map.of(
                "copied",
                subscriptions.subscribe(
                        request.topic(),
                        request.subscription(),
                        filter,
                        Subscriptions.fromArchive(request.textOrEmpty("fromArchive"), request.since()),
                        request.operator));
    }

    private static Map<String, Object> unsubscribe(Request request) {
        return Map.of(
                "changed",
                request.engine
                        .subscriptions()
                        .unsubscribe(request.topic(), request.subscription(), request.remaining(), request.operator));
    }

    /**
     * A request for an action.
     *
     * @param path   the queue, which has two parts if it is that of a subscription, and the action
     * @param fields the fields by their names; null for one that is not given
     */
    record Request(Engine engine, String[] path, Operator operator, Map<String, @Nullable Object> fields) {

        String queue() {
            return String.join("/", Arrays.copyOf(path, path.length - 1));
        }

        String topic() {
            String action = path[path.length - 1];
            InputChecks.require(
                    path.length == 3,
                    "the action '" + action + "' needs a topic and a subscription: POST /acidq/{topic}/{subscription}/"
                            + action);
            return path[0];
        }

        String subscription() {
            return path[1];
        }

        @Nullable
        String text(String field) {
            return (String) fields.get(field);
        }

        String textOrEmpty(String field) {
            return AcidqEndpoint.orEmpty(text(field));
        }

        String required(String field, String why) {
            InputChecks.require(text(field) != null, "the field '" + field + "' is missing: " + why);
            return textOrEmpty(field);
        }

        boolean isDryRun() {
            return !Boolean.FALSE.equals(fields.get("dryRun"));
        }

        BulkAction bulk() {
            return isDryRun() ? BulkAction.by(operator).asDryRun() : BulkAction.by(operator);
        }

        DeadLetterFilter letters() {
            String id = text("id");
            MessageId message = id == null ? null : AcidqEndpoint.messageId(id);
            return new DeadLetterFilter(queue(), message, text("cause"), null, null, null, null, null);
        }

        /** Returns the message of the field id. The filter refuses one that is not of the queue. */
        MessageId message() {
            return Objects.requireNonNull(letters().id());
        }

        /** Returns whether no field selects several messages. */
        boolean hasNoFilter() {
            return List.of("type", "orderingKey", "before", "claimed", "dryRun").stream()
                    .allMatch(field -> fields.get(field) == null);
        }

        Instant since() {
            return time("since");
        }

        Instant time(String field) {
            String text = textOrEmpty(field);
            try {
                return Instant.parse(text);
            } catch (DateTimeParseException e) {
                throw new QueueMisuseException(
                        field + " is '" + text + "', which is no instant: write a time such as 2031-05-01T12:00:00Z",
                        e);
            }
        }

        Remaining remaining() {
            String name = required("remaining", "say KEEP, DRAIN or DISCARD for the messages that are left");
            try {
                return Remaining.valueOf(name.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new QueueMisuseException(
                        "remaining is '" + name + "': say KEEP, DRAIN or DISCARD for the messages that are left", e);
            }
        }
    }
}
