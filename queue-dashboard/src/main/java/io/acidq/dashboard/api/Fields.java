package io.acidq.dashboard.api;

import io.acidq.admin.Archive.ArchivedMessage;
import io.acidq.admin.AuditLog.AuditEntry;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetters.DeadLetterGroup;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Nodes.QueueWork;
import io.acidq.admin.Nodes.RunningMessage;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.Views;
import io.acidq.dashboard.access.Permission;
import io.acidq.dashboard.access.SensitiveNames;
import io.acidq.dashboard.read.RecentHistory;
import io.acidq.dashboard.read.RecentHistory.QueueRates;
import io.acidq.dashboard.read.RecentHistory.Recent;
import io.acidq.dashboard.read.Sampler.QueueSample;
import io.acidq.dashboard.route.Call;
import io.acidq.resilience.GuardState;
import io.acidq.telemetry.QueueState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of {@link Views} as a user may see them: without {@link Permission#CONTENT} keys are their first characters and their length, errors their first line,
 * and audit entries have no filter and no detail. Errors are masked for everybody.
 */
record Fields(SensitiveNames names) {

    private static final int KEY_CHARACTERS = 4;

    Map<String, Object> queue(QueueSample sample) {
        Map<String, Object> fields = Views.queue(sample.info(), sample.backlog());
        Instant asOf = sample.asOf();
        if (asOf != null) {
            fields.put("asOf", asOf.toString());
        }
        return fields;
    }

    /** Adds the rates of a queue, and the course of its last hour if it is wanted. */
    static void rates(Map<String, Object> fields, Recent recent, String queue, boolean withCourse) {
        if (!recent.isKnown()) {
            return;
        }
        QueueRates rates = recent.of(queue);
        fields.put("enqueuedPerMinute", perMinute(rates.enqueued()));
        fields.put("donePerMinute", perMinute(rates.done()));
        fields.put("failedPerMinute", perMinute(rates.retried() + rates.dead()));
        rates.p95Seconds().ifPresent(seconds -> fields.put("p95Seconds", Math.round(seconds * 1_000) / 1_000.0));
        if (withCourse) {
            fields.put("course", rates.course());
        }
    }

    /** Returns a number of the last minutes as a rate, with one decimal. */
    static double perMinute(long count) {
        return Math.round(10.0 * count / RecentHistory.RATE_MINUTES) / 10.0;
    }

    /** Returns the fields of the work of a node for one queue. */
    static Map<String, Object> work(QueueWork work) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", work.queue());
        fields.put("workers", work.workers());
        fields.put("running", work.running());
        fields.put("unstarted", work.unstarted());
        fields.put("guards", work.guards());
        work.suspect().ifPresent(id -> fields.put("suspect", id));
        return fields;
    }

    /** A message that runs. */
    static Map<String, Object> runningMessage(RunningMessage message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", message.id().toString());
        fields.put("queue", message.id().queue());
        fields.put("seconds", message.runningFor().toSeconds());
        return fields;
    }

    /** A listener of this process. */
    Map<String, Object> listener(QueueState state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("workers", state.workers());
        fields.put("running", state.running());
        fields.put("unstarted", state.unstarted());
        fields.put("claimStrategy", state.claimStrategy().name());
        state.suspect().ifPresent(suspect -> fields.put("suspect", suspect.id().toString()));
        fields.put("guards", state.guards().stream().map(GuardState::toString).toList());
        return fields;
    }

    Map<String, Object> message(Call call, StoredMessage message) {
        return visible(call, message.id().queue(), Views.message(message));
    }

    Map<String, Object> doneMessage(Call call, ArchivedMessage message) {
        return visible(call, message.id().queue(), Views.doneMessage(message));
    }

    Map<String, Object> deadLetter(Call call, DeadLetter letter) {
        Map<String, Object> fields = visible(call, letter.id().queue(), Views.deadLetter(letter));
        fields.put("size", letter.payload().length);
        return fields;
    }

    /** A group of dead letters. The first line of an error is for everybody. */
    Map<String, Object> deadLetterGroup(DeadLetterGroup group) {
        Map<String, Object> fields = Views.deadLetterGroup(group);
        fields.put("error", error(group.error(), false));
        return fields;
    }

    Map<String, Object> diagnosis(Call call, Diagnosis diagnosis) {
        Map<String, Object> fields = visible(call, diagnosis.id().queue(), Views.diagnosis(diagnosis));
        fields.put("text", names.maskText(diagnosis.text()));
        return fields;
    }

    Map<String, Object> blockedKey(Call call, String queue, BlockedKey key) {
        Map<String, Object> fields = visible(call, queue, Views.blockedKey(key));
        fields.put("complete", key.waiting() < BlockedKey.MAX_COUNTED);
        return fields;
    }

    Map<String, Object> auditEntry(Call call, AuditEntry entry) {
        Map<String, Object> fields = Views.auditEntry(entry);
        if (!call.may(Permission.CONTENT, entry.queue())) {
            fields.remove("filter");
            fields.remove("detail");
        }
        return fields;
    }

    /** Shortens the keys and the error of a view, unless the user may see them, and masks the error. */
    private Map<String, Object> visible(Call call, String queue, Map<String, Object> fields) {
        boolean whole = call.may(Permission.CONTENT, queue);
        if (!whole) {
            fields.computeIfPresent("key", (name, key) -> shortened((String) key));
            fields.computeIfPresent("orderingKey", (name, key) -> shortened((String) key));
        }
        fields.computeIfPresent("error", (name, error) -> error((String) error, whole));
        return fields;
    }

    /** Returns the first characters of a key, half of a short one, and its length. */
    private static String shortened(String key) {
        int length = key.codePointCount(0, key.length());
        int end = key.offsetByCodePoints(0, Math.min(KEY_CHARACTERS, length / 2));
        return key.substring(0, end) + "… (" + length + ")";
    }

    /** A text of the engine or the database. */
    String errorText(String text, boolean whole) {
        return error(text, whole);
    }

    private String error(String error, boolean whole) {
        String masked =
                names.maskText(error); // all of it: a masked value may begin in the first line and end in another
        return whole ? masked : masked.lines().findFirst().orElse("");
    }
}
