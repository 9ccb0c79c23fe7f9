package io.acidq.examples.plain;

import static io.acidq.EnqueueOptions.options;

import io.acidq.NewMessage;
import io.acidq.examples.plain.MovingIn.Moved;
import io.acidq.examples.plain.MovingIn.Reading;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/**
 * A queue table of one's own: which of its rows are unfinished, and what each becomes.
 *
 * @param select  the unfinished rows beyond an id, in order, at most so many
 * @param delete  one of them
 * @param reading what a row becomes
 */
public record OldTable(String select, String delete, Reading reading) {

    // snippet:queue
    /** Status n waits, run is running, y is done; a row of one biz is a message of the queue of that name. */
    public static final OldTable QUEUE = new OldTable("""
            SELECT id, biz, data_string FROM queue
            WHERE id > ? AND status IN ('n', 'run') ORDER BY id LIMIT ?""", "DELETE FROM queue WHERE id = ?", row -> {
        String key = "queue:" + row.getLong("id");
        return new Moved(
                row.getString("biz"),
                new NewMessage(row.getString("data_string"), options().key(key)));
    });
    // /snippet

    // snippet:message_queue
    /** Whatever is there is unfinished: what was done has been deleted. */
    public static final OldTable MESSAGE_QUEUE = new OldTable("""
            SELECT id, message FROM message_queue
            WHERE id > ? ORDER BY id LIMIT ?""", "DELETE FROM message_queue WHERE id = ?", row -> {
        String key = "message_queue:" + row.getLong("id");
        return new Moved(
                "messages", new NewMessage(row.getString("message"), options().key(key)));
    });
    // /snippet

    // snippet:job_queue
    /** Status 0 waits, 1 is running, 2 is done. */
    public static final OldTable JOB_QUEUE = new OldTable("""
            SELECT id, data FROM job_queue
            WHERE id > ? AND status IN (0, 1) ORDER BY id LIMIT ?""", "DELETE FROM job_queue WHERE id = ?", row -> {
        String key = "job_queue:" + row.getLong("id");
        return new Moved("jobs", new NewMessage(row.getString("data"), options().key(key)));
    });
    // /snippet

    // snippet:unsent_emails
    /** Claimed ones too: who had claimed one is gone, and may have sent it. */
    public static final OldTable UNSENT_EMAILS = new OldTable("""
            SELECT id, status, address, body FROM unsent_emails
            WHERE id > ? AND status IN ('unsent', 'claimed') ORDER BY id LIMIT ?""", "DELETE FROM unsent_emails WHERE id = ?", row -> {
        String key = "unsent_emails:" + row.getLong("id");
        Email email = new Email(row.getString("address"), row.getString("body"));
        return new Moved("email", new NewMessage(email, options().key(key).header("was", row.getString("status"))));
    });
    // /snippet

    // snippet:comom_queue
    /** A callback is the name of a queue here, and its listener a method that was registered for it: never a name to be called. */
    private static final Map<String, String> QUEUE_OF_CALLBACK =
            Map.of("OrderService::close", "order.close", "MailService::send", "mail.send");

    /** Status 0 is new, 1 running, 2 done, 3 failed, 4 to retry. Failed rows stay for inspection. */
    public static final OldTable COMOM_QUEUE =
            new OldTable("""
            SELECT id, type, callback, param_content, p_key, mark,
                   GREATEST(COALESCE(TIMESTAMPDIFF(MICROSECOND, NOW(6), preexec_time), 0), 0) AS due_in
            FROM comom_queue
            WHERE id > ? AND status IN (0, 1, 4) ORDER BY id LIMIT ?""", "DELETE FROM comom_queue WHERE id = ?", OldTable::comomQueue);

    private static Moved comomQueue(ResultSet row) throws SQLException {
        String queue = QUEUE_OF_CALLBACK.get(row.getString("callback"));
        if (queue == null) {
            throw new IllegalStateException("comom_queue " + row.getLong("id") + " calls '" + row.getString("callback")
                    + "': name the queue for it in QUEUE_OF_CALLBACK, and start again");
        }
        String key = row.getString("p_key");
        boolean fits = key != null && !key.isEmpty() && key.getBytes(StandardCharsets.UTF_8).length <= 255;
        String mark = String.valueOf(row.getString("mark"));
        Duration delay = Duration.of(row.getLong("due_in"), ChronoUnit.MICROS);
        return new Moved(
                queue,
                new NewMessage(
                        row.getString("param_content"),
                        options()
                                .key(fits ? key : "comom_queue:" + row.getLong("id"))
                                .delay(delay)
                                .header("type", String.valueOf(row.getString("type")))
                                .header("mark", mark.substring(0, Math.min(mark.length(), 500)))));
    }
    // /snippet

    /** An e-mail, the payload of what was in unsent_emails. */
    public record Email(String address, String body) {}
}
