package io.acidq.dashboard.api;

import io.acidq.MessageId;
import io.acidq.admin.Attempts.Attempt;
import io.acidq.admin.Attempts.FailedAttempts;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.Messages.MessageCrash;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.route.Answer;
import io.acidq.dashboard.route.Call;
import io.acidq.dashboard.route.RequestException;
import io.acidq.dashboard.route.Route;
import io.acidq.dashboard.route.Scope;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The timeline of a message, from what the tables have of it: its row, failed attempts, crashes, actions of operators, and the archive. Sorted by the
 * time of the database.
 */
final class TimelineApi {

    private final Fields fields;

    TimelineApi(Fields fields) {
        this.fields = fields;
    }

    List<Route> routes() {
        return List.of(Route.get(Api.V1 + "message/timeline", Permission.VIEW, Scope.MESSAGE, this::timeline, "id"));
    }

    private Answer timeline(Call call) {
        MessageId id = call.parameters().messageId("id");
        if (!call.database().exists(id.queue())) {
            throw RequestException.notFound("there is no queue '" + id.queue() + "', and so no message " + id);
        }
        FailedAttempts failed = call.database().call(engine -> engine.attempts().of(id));
        List<Event> events = new ArrayList<>();
        addMessage(call, id, failed, events);
        for (Attempt attempt : failed.attempts()) {
            events.add(Event.of(attempt.endedAt(), attempt.dead() ? "DEAD" : "FAILED", "")
                    .with("node", attempt.node())
                    .with("error", fields.errorText(attempt.error(), call.may(Permission.CONTENT, id.queue()))));
        }
        for (MessageCrash crash :
                call.database().call(engine -> engine.messages().crashes(id))) {
            events.add(Event.of(crash.at(), "CRASHED", "the process of the node ended while it ran, or may have run")
                    .with("node", crash.node())
                    .with("host", crash.host()));
        }
        for (AuditEntry entry : call.database().call(engine -> engine.audit().of(id))) {
            events.add(Event.of(entry.at(), "ACTION", entry.reason())
                    .with("action", entry.action())
                    .with("actor", entry.actor()));
        }
        if (events.isEmpty()) {
            throw RequestException.notFound("message " + id
                    + " is in none of the tables: done, cancelled or discarded, or its enqueue never committed");
        }
        Map<String, Object> answer = Api.answer(call);
        answer.put(
                "events",
                events.stream()
                        .sorted(Comparator.comparing(Event::at))
                        .map(Event::fields)
                        .toList());
        if (failed.notRecorded() > 0) {
            answer.put("notRecorded", failed.notRecorded());
        }
        return Answer.json(answer);
    }

    private void addMessage(Call call, MessageId id, FailedAttempts failed, List<Event> events) {
        StoredMessage message =
                call.database().call(engine -> engine.messages().find(id)).orElse(null);
        if (message == null) {
            call.database().call(engine -> engine.archive().find(id)).ifPresent(done -> {
                events.add(Event.of(done.enqueuedAt(), "ENQUEUED", ""));
                events.add(Event.of(done.doneAt(), "DONE", "").with("attempts", done.attempts()));
            });
            return;
        }
        events.add(Event.of(message.enqueuedAt(), "ENQUEUED", ""));
        if (message.state() == MessageState.DEAD) {
            for (DeadLetter letter : call.database()
                    .call(engine -> engine.deadLetters().list(DeadLetterFilter.of(id), DeadLetterPage.first(1)))) {
                if (!isRecorded(letter, failed)) {
                    events.add(Event.of(letter.diedAt(), "DEAD", "")
                            .with("attempts", letter.attempts())
                            .with("error", fields.errorText(letter.error(), call.may(Permission.CONTENT, id.queue()))));
                }
            }
        } else if (!message.dueAt().equals(message.enqueuedAt())) {
            events.add(Event.of(message.dueAt(), "DUE", "").with("attempts", message.attempts()));
        }
    }

    /** Whether the attempts have the one that made this dead letter. A message that expires or crashes becomes one without a failed attempt. */
    private static boolean isRecorded(DeadLetter letter, FailedAttempts failed) {
        return failed.attempts().stream()
                .anyMatch(attempt -> attempt.dead()
                        && !attempt.endedAt().isBefore(letter.diedAt().minusSeconds(1)));
    }

    /** Something that happened, or will. */
    private record Event(Instant at, Map<String, Object> fields) {

        static Event of(Instant at, String kind, String text) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("at", at.toString());
            fields.put("kind", kind);
            if (!text.isEmpty()) {
                fields.put("text", text);
            }
            return new Event(at, fields);
        }

        Event with(String name, Object value) {
            fields.put(name, value);
            return this;
        }
    }
}
