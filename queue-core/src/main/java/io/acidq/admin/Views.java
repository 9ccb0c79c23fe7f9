package io.acidq.admin;

import io.acidq.Receipt;
import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.Messages.QueueInfo;
import io.acidq.admin.RecurringMessages.RecurringInfo;
import io.acidq.admin.RecurringMessages.TickEntry;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.admin.Subscriptions.Subscription;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The output for operators, as maps of field names and values that any JSON library writes: numbers, texts, booleans, and lists and maps of these. The
 * command line, the endpoints of the actuator and the dashboard use the same maps, so that a field has one name. Absent values are left out; times are
 * ISO 8601 in UTC. The maps may be changed by the caller.
 */
public final class Views {

    private Views() {}

    /**
     * A queue and its numbers.
     *
     * @param backlog the numbers; null when they are not known, which makes {@code complete} false
     */
    public static Map<String, Object> queue(QueueInfo queue, @Nullable Backlog backlog) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", queue.name());
        fields.put("paused", queue.paused());
        if (backlog != null) {
            fields.put("ready", backlog.ready());
            fields.put("running", backlog.running());
            fields.put("waiting", backlog.waiting());
            fields.put("scheduled", backlog.scheduled());
            fields.put("dead", backlog.dead());
            fields.put("high", backlog.high());
            fields.put("low", backlog.low());
        }
        fields.put("complete", backlog != null && backlog.isComplete());
        if (backlog != null) {
            backlog.oldest().ifPresent(age -> fields.put("oldestSeconds", age.toSeconds()));
        }
        fields.put("servedBy", queue.servedBy().stream().map(Views::node).toList());
        return fields;
    }

    /** A node. */
    public static Map<String, Object> node(Diagnosis.Node node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", node.number());
        fields.put("host", node.host());
        fields.put("alive", node.alive());
        putTime(fields, "since", node.since());
        return fields;
    }

    /** A message that has not ended, without its content. */
    public static Map<String, Object> message(StoredMessage message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", message.id().toString());
        fields.put("state", message.state().name());
        fields.put("priority", message.id().priority().name());
        message.key().ifPresent(value -> fields.put("key", value));
        message.orderingKey().ifPresent(value -> fields.put("orderingKey", value));
        fields.put("type", message.type());
        fields.put("size", message.size());
        fields.put("attempts", message.attempts());
        fields.put("crashes", message.crashes());
        message.node().ifPresent(value -> fields.put("node", value));
        fields.put("enqueuedAt", message.enqueuedAt().toString());
        fields.put(
                message.state() == MessageState.DONE ? "doneAt" : "dueAt",
                message.dueAt().toString());
        message.expiresAt().ifPresent(at -> {
            fields.put("expiresAt", at.toString());
            fields.put("expired", message.expired());
        });
        return fields;
    }

    /** A done message of the archive, without its content. */
    public static Map<String, Object> doneMessage(ArchivedMessage message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", message.id().toString());
        fields.put("state", "DONE");
        fields.put("priority", message.id().priority().name());
        message.key().ifPresent(value -> fields.put("key", value));
        message.orderingKey().ifPresent(value -> fields.put("orderingKey", value));
        fields.put("type", message.type());
        fields.put("size", message.payload().length);
        fields.put("attempts", message.attempts());
        fields.put("crashes", message.crashes());
        fields.put("enqueuedAt", message.enqueuedAt().toString());
        fields.put("doneAt", message.doneAt().toString());
        return fields;
    }

    /** Why a message does not run. */
    public static Map<String, Object> diagnosis(Diagnosis diagnosis) {
        Diagnosis.Facts facts = diagnosis.facts();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", diagnosis.id().toString());
        fields.put("reason", diagnosis.reason().name());
        fields.put("text", diagnosis.text());
        putTime(fields, "at", facts.at());
        facts.closedBy().ifPresent(other -> fields.put("closedBy", other.toString()));
        facts.node().ifPresent(node -> fields.put("node", node(node)));
        facts.guard().ifPresent(guard -> fields.put("guard", guard));
        facts.error().ifPresent(error -> fields.put("error", error));
        facts.before().ifPresent(before -> fields.put("before", before));
        facts.expiresAt().ifPresent(at -> fields.put("expiresAt", at.toString()));
        return fields;
    }

    /** The receipt of a message, without its result. */
    public static Map<String, Object> receipt(Receipt receipt) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", receipt.id().toString());
        fields.put("state", receipt.state().name());
        putTime(fields, "endedAt", receipt.endedAt());
        putTime(fields, "keptUntil", receipt.keptUntil());
        receipt.encodedResult().ifPresent(result -> fields.put("resultType", result.type()));
        receipt.resultError().ifPresent(error -> fields.put("resultError", error));
        return fields;
    }

    /** A dead letter, without its content. */
    public static Map<String, Object> deadLetter(DeadLetter letter) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", letter.id().toString());
        fields.put("priority", letter.id().priority().name());
        letter.key().ifPresent(value -> fields.put("key", value));
        letter.orderingKey().ifPresent(value -> fields.put("orderingKey", value));
        fields.put("type", letter.type());
        fields.put("attempts", letter.attempts());
        fields.put("crashes", letter.crashes());
        fields.put("diedAt", letter.diedAt().toString());
        letter.expiresAt().ifPresent(at -> fields.put("expiresAt", at.toString()));
        fields.put("cause", letter.cause());
        fields.put("error", letter.error());
        return fields;
    }

    /** The dead letters with the same cause. */
    public static Map<String, Object> deadLetterGroup(DeadLetterGroup group) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", group.queue());
        fields.put("cause", group.cause());
        fields.put("letters", group.letters());
        fields.put("complete", group.complete());
        fields.put("firstDiedAt", group.firstDiedAt().toString());
        fields.put("lastDiedAt", group.lastDiedAt().toString());
        fields.put("error", group.error());
        fields.put("type", group.type());
        return fields;
    }

    /** The result of a bulk action; for a dry run with {@code wouldChange} in place of {@code changed}. */
    public static Map<String, Object> bulkResult(BulkResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("dryRun", result.dryRun());
        fields.put("matched", result.matched());
        fields.put(result.dryRun() ? "wouldChange" : "changed", result.changed());
        fields.put("lost", result.lost());
        fields.put("keyTaken", result.keyTaken());
        fields.put("beyondLimit", result.beyondLimit());
        return fields;
    }

    /** An ordering key that a dead letter blocks. */
    public static Map<String, Object> blockedKey(BlockedKey key) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("orderingKey", key.orderingKey());
        fields.put("deadLetter", key.head().toString());
        fields.put("since", key.since().toString());
        fields.put("waiting", key.waiting());
        fields.put("error", key.error());
        return fields;
    }

    /** A recurring message. {@code next} is empty when no tick is left. */
    public static Map<String, Object> recurring(RecurringInfo recurring) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", recurring.name());
        fields.put(recurring.topic() ? "topic" : "queue", recurring.destination());
        fields.put("schedule", recurring.schedule());
        fields.put("zone", recurring.zone());
        fields.put("misfire", recurring.misfire());
        fields.put("grace", recurring.grace().toString());
        fields.put("overlap", recurring.overlap().name());
        recurring.expiresAfter().ifPresent(time -> fields.put("expiresAfter", time.toString()));
        fields.put("spread", recurring.spread().toString());
        fields.put("paused", recurring.paused());
        fields.put("declared", recurring.declared());
        fields.put("version", recurring.version());
        fields.put("next", recurring.next().map(Instant::toString).orElse(""));
        fields.put("changedAt", recurring.changedAt().toString());
        return fields;
    }

    /** A tick of a recurring message. {@code uid} is empty when no message was enqueued. */
    public static Map<String, Object> tick(TickEntry entry) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("tick", entry.at().toString());
        fields.put("result", entry.result().name());
        fields.put("missed", entry.missed());
        fields.put("doneAt", entry.doneAt().toString());
        fields.put("uid", entry.uid().map(UUID::toString).orElse(""));
        return fields;
    }

    /** A subscription of a topic. */
    public static Map<String, Object> subscription(Subscription subscription) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("topic", subscription.topic());
        fields.put("subscription", subscription.name());
        fields.put("queue", subscription.queue());
        fields.put("draining", subscription.draining());
        fields.put("since", subscription.since().toString());
        fields.put("filter", subscription.filter());
        return fields;
    }

    /** An entry of the audit log. */
    public static Map<String, Object> auditEntry(AuditEntry entry) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", entry.id());
        fields.put("at", entry.at().toString());
        fields.put("actor", entry.actor());
        fields.put("action", entry.action());
        fields.put("queue", entry.queue());
        entry.message().ifPresent(message -> fields.put("message", message.toString()));
        entry.bulk().ifPresent(bulk -> fields.put("bulk", bulk));
        fields.put("filter", entry.filter());
        fields.put("reason", entry.reason());
        fields.put("detail", entry.detail());
        return fields;
    }

    private static void putTime(Map<String, Object> fields, String name, Optional<Instant> time) {
        time.ifPresent(at -> fields.put(name, at.toString()));
    }
}
