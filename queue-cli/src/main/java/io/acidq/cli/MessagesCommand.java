package io.acidq.cli;

import io.acidq.MessageId;
import io.acidq.admin.MessageContent;
import io.acidq.admin.MessageState;
import io.acidq.admin.StoredMessage;
import io.acidq.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists messages, or finds one. */
@Command(
        name = "messages",
        mixinStandardHelpOptions = true,
        description = {
            "Lists messages of a queue, or finds one by its id or its message key.",
            "READY and WAITING are looked for among the first 10,000 in the queue's lanes."
        })
final class MessagesCommand extends DatabaseCommand {

    private static final List<String> HEAD = List.of(
            "ID", "STATE", "KEY", "ORDERING KEY", "TYPE", "SIZE", "ATTEMPTS", "NODE", "ENQUEUED", "DUE OR DIED");

    @Parameters(paramLabel = "QUEUE", arity = "0..1", description = "The queue; not needed with --id.")
    private @Nullable String queue;

    @Option(
            names = "--id",
            paramLabel = "MESSAGE_ID",
            converter = IdConverter.class,
            description = "One message, as queue~lane~uid.")
    private @Nullable MessageId id;

    @Option(names = "--key", paramLabel = "KEY", description = "The message that holds this message key.")
    private @Nullable String key;

    @Option(names = "--state", paramLabel = "STATE", description = "Only those: ${COMPLETION-CANDIDATES}.")
    private @Nullable MessageState state;

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = LimitConverter.class,
            description = "At most so many, 1 to 10000. Default: 50.")
    private int limit = 50;

    @Option(names = "--payload", description = "Shows payloads and headers, which may be confidential.")
    private boolean payload;

    @Override
    int run(Database database, Output output) {
        Engine engine = database.engine();
        List<List<String>> rows = new ArrayList<>();
        List<Map<String, Object>> all = new ArrayList<>();
        List<StoredMessage> found = found(engine);
        for (StoredMessage message : found) {
            rows.add(row(message));
            all.add(fields(message));
        }
        output.table(HEAD, rows);
        if (payload) {
            for (int i = 0; i < found.size(); i++) {
                MessageContent content =
                        engine.messages().content(found.get(i).id()).orElse(null);
                if (content != null) { // else it has been done meanwhile
                    all.get(i).putAll(Content.fields(content.payload(), content.headers()));
                    Content.show(found.get(i).id(), content.payload(), content.headers(), output);
                }
            }
        }
        output.json(Map.of("messages", all));
        return ExitCode.OK;
    }

    private List<StoredMessage> found(Engine engine) {
        if (id != null) {
            return List.of(engine.messages()
                    .find(id)
                    .orElseThrow(() -> new RefusedException(
                            ExitCode.REFUSED, "message " + id + " is in none of the tables: acidq why tells more")));
        }
        String of = queue;
        if (of == null) {
            throw new RefusedException(ExitCode.USAGE, "name a queue, or a message by --id");
        }
        if (key != null) {
            Optional<StoredMessage> holder = engine.messages().findByKey(of, key);
            return List.of(holder.orElseThrow(() -> new RefusedException(
                    ExitCode.REFUSED,
                    "no message of queue '" + of + "' that is still there holds the key '" + key + "'")));
        }
        return engine.messages().list(of, state, limit);
    }

    private static List<String> row(StoredMessage m) {
        return List.of(
                m.id().toString(),
                m.state().name(),
                Text.shortened(m.key().orElse("-")),
                Text.shortened(m.orderingKey().orElse("-")),
                Text.shortened(m.type()),
                String.valueOf(m.size()),
                String.valueOf(m.attempts()),
                m.node().isPresent() ? String.valueOf(m.node().getAsInt()) : "-",
                Text.time(m.enqueuedAt()),
                Text.time(m.dueAt()));
    }

    private static Map<String, Object> fields(StoredMessage m) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", m.id().toString());
        fields.put("state", m.state().name());
        m.key().ifPresent(value -> fields.put("key", value));
        m.orderingKey().ifPresent(value -> fields.put("orderingKey", value));
        fields.put("type", m.type());
        fields.put("size", m.size());
        fields.put("attempts", m.attempts());
        fields.put("crashes", m.crashes());
        m.node().ifPresent(value -> fields.put("node", value));
        fields.put("enqueuedAt", m.enqueuedAt().toString());
        fields.put("dueAt", m.dueAt().toString());
        return fields;
    }
}
