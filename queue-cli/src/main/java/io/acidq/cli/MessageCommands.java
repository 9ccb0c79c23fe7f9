package io.acidq.cli;

import io.acidq.MessageId;
import io.acidq.Plural;
import io.acidq.admin.BulkAction;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.MessageFilter;
import io.acidq.admin.Messages.BulkCancellation;
import io.acidq.admin.Messages.CancelResult;
import io.acidq.admin.Messages.MessageContent;
import io.acidq.admin.Operator;
import io.acidq.admin.StoredMessage;
import io.acidq.admin.StoredMessage.MessageState;
import io.acidq.admin.Views;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.cli.SharedOptions.AuditInfo;
import io.acidq.cli.SharedOptions.LimitConverter;
import io.acidq.cli.SharedOptions.MessageIdConverter;
import io.acidq.engine.Engine;
import io.acidq.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that show messages, and cancel one. */
final class MessageCommands {

    private MessageCommands() {}

    @Command(
            name = "messages",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the messages of a queue, or finds one message by its id or its message key.",
                "--state READY and WAITING search the first 10,000 messages in the queue's lanes."
            })
    static final class ListMessages extends DatabaseCommand {

        private static final List<String> HEAD = List.of(
                "ID",
                "STATE",
                "PRIORITY",
                "KEY",
                "ORDERING KEY",
                "TYPE",
                "SIZE",
                "ATTEMPTS",
                "NODE",
                "ENQUEUED",
                "DUE OR DEAD SINCE",
                "EXPIRES");

        @Parameters(paramLabel = "QUEUE", arity = "0..1", description = "The queue; not needed with --id.")
        private @Nullable String queue;

        @Option(
                names = "--id",
                paramLabel = "MESSAGE_ID",
                converter = MessageIdConverter.class,
                description = "One message, as queue~lane~uid.")
        private @Nullable MessageId id;

        @Option(names = "--key", paramLabel = "KEY", description = "The message with this message key.")
        private @Nullable String key;

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "Only messages in this state: ${COMPLETION-CANDIDATES}.")
        private @Nullable MessageState state;

        @Option(
                names = "--limit",
                paramLabel = "N",
                converter = LimitConverter.class,
                description = "At most N messages, 1 to 10000. Default: 50.")
        private int limit = 50;

        @Option(names = "--payload", description = "Shows payloads and headers, which may be confidential.")
        private boolean payload;

        @Override
        int run(Output output) {
            Engine engine = engine(openStore());
            List<List<String>> rows = new ArrayList<>();
            List<Map<String, Object>> messages = new ArrayList<>();
            List<StoredMessage> found = find(engine);
            for (StoredMessage message : found) {
                rows.add(row(message));
                messages.add(Views.message(message));
            }
            output.table(HEAD, rows);
            if (payload) {
                for (int i = 0; i < found.size(); i++) {
                    MessageContent content =
                            engine.messages().content(found.get(i).id()).orElse(null);
                    if (content != null) { // null if the message was completed in the meantime
                        messages.get(i).putAll(Output.contentFields(content.payload(), content.headers()));
                        output.content(found.get(i).id(), content.payload(), content.headers());
                    }
                }
            }
            output.json(Map.of("messages", messages));
            return ExitCode.OK;
        }

        private List<StoredMessage> find(Engine engine) {
            if (id != null) {
                return List.of(engine.messages()
                        .find(id)
                        .orElseThrow(() -> new CommandException(
                                ExitCode.REFUSED,
                                "message " + id + " is in none of the tables; run acidq why for the reason")));
            }
            String queueName = queue;
            if (queueName == null) {
                throw new CommandException(ExitCode.USAGE, "give a queue, or a message with --id");
            }
            if (key != null) {
                Optional<StoredMessage> holder = engine.messages().findByKey(queueName, key);
                return List.of(holder.orElseThrow(() -> new CommandException(
                        ExitCode.REFUSED,
                        "no current message of queue '" + queueName + "' holds the key '" + key + "'")));
            }
            return engine.messages().list(queueName, state, limit);
        }

        private static List<String> row(StoredMessage m) {
            return List.of(
                    m.id().toString(),
                    m.state().name(),
                    m.id().priority().name(),
                    TerminalText.shortened(m.key().orElse("-")),
                    TerminalText.shortened(m.orderingKey().orElse("-")),
                    TerminalText.shortened(m.type()),
                    String.valueOf(m.size()),
                    String.valueOf(m.attempts()),
                    m.node().isPresent() ? String.valueOf(m.node().getAsInt()) : "-",
                    TerminalText.time(m.enqueuedAt()),
                    TerminalText.time(m.dueAt()),
                    m.expiresAt()
                            .map(at -> TerminalText.time(at) + (m.expired() ? " (expired)" : ""))
                            .orElse("-"));
        }
    }

    @Command(
            name = "why",
            mixinStandardHelpOptions = true,
            description =
                    "Says why a message does not run. Does not see state that exists only in a worker's process, such as an open circuit breaker.")
    static final class Why extends DatabaseCommand {

        @Parameters(
                paramLabel = "MESSAGE_ID",
                converter = MessageIdConverter.class,
                description = "The message, as queue~lane~uid.")
        private @Nullable MessageId id;

        @Override
        int run(Output output) {
            Engine engine = engine(openStore());
            if (id == null) {
                throw new IllegalStateException("picocli requires the parameter");
            }
            Diagnosis diagnosis = engine.why(id);
            output.line(TerminalText.oneLine(diagnosis.toString()));
            output.json(Views.diagnosis(diagnosis));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = {
                "Cancels one message, or the messages of a queue that match.",
                "A message that waits is removed; its message key stays taken until its window ends.",
                "If a node has claimed it, the node is asked to cancel it: a run that ends as done wins, any other end removes the message.",
                "With --type, --ordering-key, --before or --all it only reports how many match, unless --yes is given."
            })
    static final class Cancel extends DatabaseCommand {

        @Parameters(
                paramLabel = "MESSAGE_ID",
                arity = "0..1",
                converter = MessageIdConverter.class,
                description = "The message, as queue~lane~uid; not needed with --queue and --key.")
        private @Nullable MessageId id;

        @Option(names = "--queue", paramLabel = "QUEUE", description = "The queue of the message or messages.")
        private @Nullable String queue;

        @Option(names = "--key", paramLabel = "KEY", description = "The message with this message key.")
        private @Nullable String key;

        @Option(names = "--all", description = "All messages of the queue that no node has claimed.")
        private boolean all;

        @Option(names = "--type", paramLabel = "NAME", description = "Only messages with this payload type.")
        private @Nullable String type;

        @Option(names = "--ordering-key", paramLabel = "KEY", description = "Only messages with this ordering key.")
        private @Nullable String orderingKey;

        @Option(
                names = "--before",
                paramLabel = "TIME",
                description =
                        "Only messages enqueued before this time: 2h (ago), or 2031-05-01T12:00:00Z, by the database's clock.")
        private @Nullable String before;

        @Option(
                names = "--claimed",
                description = "Also messages that a node has claimed, which is asked to cancel them.")
        private boolean claimed;

        @Option(names = "--limit", paramLabel = "N", description = "At most N messages. Default: 1000.")
        private int limit = 1000;

        @Option(names = "--rate", paramLabel = "N", description = "At most N messages a second. Default: no limit.")
        private int rate;

        @Option(
                names = "--yes",
                description = "Cancels the messages that match. Without it the command only reports the number.")
        private boolean yes;

        @Mixin
        private final AuditInfo auditInfo = new AuditInfo();

        @Override
        int run(Output output) {
            boolean bulk = all || type != null || orderingKey != null || before != null;
            return bulk ? cancelMatching(output) : cancelOne(output);
        }

        private int cancelMatching(Output output) {
            String queueName = queue;
            if (id != null || key != null || queueName == null) {
                throw new CommandException(
                        ExitCode.USAGE,
                        "--type, --ordering-key, --before and --all need --queue, and neither a message id nor --key");
            }
            Store store = openStore();
            Instant time = before == null ? null : SharedOptions.time(before, store);
            MessageFilter filter =
                    SharedOptions.checked(() -> new MessageFilter(queueName, type, orderingKey, time, claimed));
            BulkAction action = SharedOptions.checked(
                    () -> BulkAction.by(auditInfo.operator()).withLimit(limit).withPerSecond(rate));
            BulkCancellation result = engine(store).messages().cancel(filter, yes ? action : action.asDryRun());
            output.line(describe(queueName, result));
            if (!yes) {
                output.line("nothing was changed: add --yes to make the change");
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("queue", queueName);
            fields.put("dryRun", result.dryRun());
            fields.put("cancelled", result.cancelled());
            fields.put("requested", result.requested());
            fields.put("lost", result.lost());
            fields.put("complete", result.complete());
            output.json(fields);
            return ExitCode.OK;
        }

        private static String describe(String queueName, BulkCancellation result) {
            String verb = result.dryRun() ? "would be" : result.cancelled() == 1 ? "is" : "are";
            String text =
                    Plural.of(result.cancelled(), "message") + " of queue '" + queueName + "' " + verb + " cancelled";
            if (result.requested() > 0) {
                text += ", " + result.requested() + " claimed by nodes " + (result.dryRun() ? "would be" : "are")
                        + " asked to cancel them";
            }
            if (result.lost() > 0) {
                text += "; " + result.lost() + " were claimed, moved, locked or ended meanwhile";
            }
            return result.complete() ? text : text + "; the limit was reached, others may match too";
        }

        private int cancelOne(Output output) {
            Operator operator = auditInfo.operator();
            if (yes || claimed || rate != 0) {
                throw new CommandException(
                        ExitCode.USAGE,
                        "--yes, --claimed and --rate cannot be used for one message: they belong to --type, --ordering-key, --before or --all");
            }
            Engine engine = engine(openStore());
            MessageId wanted = wanted(engine);
            CancelResult result = engine.messages().cancel(wanted, operator);
            output.line("message " + wanted + " "
                    + switch (result) {
                        case CANCELLED -> "is cancelled";
                        case REQUESTED -> "is claimed by a node, which is asked to cancel it";
                        case GONE -> "is in none of the tables: run acidq why for the reason";
                    });
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("id", wanted.toString());
            fields.put("result", result.name());
            output.json(fields);
            return result == CancelResult.GONE ? ExitCode.REFUSED : ExitCode.OK;
        }

        private MessageId wanted(Engine engine) {
            String queueName = queue;
            String wantedKey = key;
            if (id != null && queueName == null && wantedKey == null) {
                return id;
            }
            if (id != null || queueName == null || wantedKey == null) {
                throw new CommandException(
                        ExitCode.USAGE,
                        "give a message id, a message with --queue and --key, or --queue with --type, --ordering-key, --before or --all");
            }
            return engine.messages()
                    .findByKey(queueName, wantedKey)
                    .map(StoredMessage::id)
                    .orElseThrow(() -> new CommandException(
                            ExitCode.REFUSED,
                            "no current message of queue '" + queueName + "' holds the key '" + wantedKey + "'"));
        }
    }
}
