package io.acidq.cli;

import io.acidq.MessageId;
import io.acidq.Plural;
import io.acidq.admin.BlockedKeys;
import io.acidq.admin.BlockedKeys.BlockedKey;
import io.acidq.admin.BulkAction;
import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroupFilter;
import io.acidq.admin.DeadLetterPage;
import io.acidq.admin.DeadLetters;
import io.acidq.admin.DeadLetters.BulkResult;
import io.acidq.admin.DeadLetters.DeadLetterGroups;
import io.acidq.admin.Operator;
import io.acidq.admin.Views;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.cli.SharedOptions.AuditInfo;
import io.acidq.cli.SharedOptions.LimitConverter;
import io.acidq.cli.SharedOptions.MessageIdConverter;
import io.acidq.store.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands for dead letters. */
@Command(
        name = "dead",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Lists, replays, edits and discards dead letters, and releases the ordering keys that they block.",
        subcommands = {
            DeadLetterCommands.ListLetters.class,
            DeadLetterCommands.Replay.class,
            DeadLetterCommands.Discard.class,
            DeadLetterCommands.Edit.class,
            DeadLetterCommands.Blocked.class,
            DeadLetterCommands.Release.class
        })
final class DeadLetterCommands {

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description =
                    "Lists dead letters of a queue, the oldest first, or with --groups their number by cause; or shows one message.")
    static final class ListLetters extends DatabaseCommand {

        private static final int MAX_GROUPS = 1_000;
        private static final int MAX_COUNTED = 10_000;

        @Mixin
        private final FilterOptions filterOptions = new FilterOptions();

        @Option(
                names = "--groups",
                description =
                        "Counts the dead letters of the queue by cause, up to 10,000 of each, the cause of the newest dead letter first.")
        private boolean groups;

        @Option(
                names = "--limit",
                paramLabel = "N",
                converter = LimitConverter.class,
                description = "At most N rows. Default: 50.")
        private int limit = 50;

        @Option(names = "--payload", description = "Shows payloads and headers, which may be confidential.")
        private boolean payload;

        @Override
        int run(Output output) {
            Store store = openStore();
            DeadLetters deadLetters = engine(store).deadLetters();
            if (groups) {
                listGroups(deadLetters.groups(groupFilter()), output);
            } else {
                listLetters(deadLetters, filterOptions.toFilter(store), output);
            }
            return ExitCode.OK;
        }

        private DeadLetterGroupFilter groupFilter() {
            DeadLetterGroupFilter all = DeadLetterGroupFilter.of(filterOptions.target.queue())
                    .withLimit(Math.min(limit, MAX_GROUPS))
                    .withMaxCounted(MAX_COUNTED);
            String cause = filterOptions.cause;
            return cause == null ? all : SharedOptions.checked(() -> all.withCause(cause));
        }

        private void listLetters(DeadLetters deadLetters, DeadLetterFilter filter, Output output) {
            List<DeadLetter> letters = deadLetters.list(filter, DeadLetterPage.first(limit));
            long matched = deadLetters.count(filter);
            output.table(
                    List.of("ID", "KEY", "ATTEMPTS", "DEAD SINCE", "CAUSE", "ERROR"),
                    letters.stream()
                            .map(letter -> List.of(
                                    letter.id().toString(),
                                    TerminalText.shortened(letter.key().orElse("-")),
                                    String.valueOf(letter.attempts()),
                                    TerminalText.time(letter.diedAt()),
                                    letter.cause(),
                                    TerminalText.shortened(
                                            letter.error().lines().findFirst().orElse(""))))
                            .toList());
            output.line(letters.size() + " of " + matched);
            if (payload) {
                letters.forEach(letter -> output.content(letter.id(), letter.payload(), letter.headers()));
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("matched", matched);
            fields.put("deadLetters", letters.stream().map(this::fields).toList());
            output.json(fields);
        }

        private Map<String, Object> fields(DeadLetter letter) {
            Map<String, Object> fields = Views.deadLetter(letter);
            if (payload) {
                fields.putAll(Output.contentFields(letter.payload(), letter.headers()));
            }
            return fields;
        }

        private static void listGroups(DeadLetterGroups found, Output output) {
            output.table(
                    List.of("CAUSE", "LETTERS", "FIRST", "LAST", "ERROR"),
                    found.groups().stream()
                            .map(group -> List.of(
                                    group.cause(),
                                    group.letters() + (group.complete() ? "" : "+"),
                                    TerminalText.time(group.firstDiedAt()),
                                    TerminalText.time(group.lastDiedAt()),
                                    TerminalText.shortened(group.error())))
                            .toList());
            if (!found.complete()) {
                output.line("there are more causes");
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put(
                    "groups",
                    found.groups().stream().map(Views::deadLetterGroup).toList());
            fields.put("complete", found.complete());
            output.json(fields);
        }
    }

    @Command(
            name = "replay",
            mixinStandardHelpOptions = true,
            description = "Turns dead letters into messages that are due at once, the oldest first.")
    static final class Replay extends Change {

        @Override
        BulkResult apply(DeadLetters deadLetters, DeadLetterFilter filter, BulkAction action) {
            return deadLetters.replay(filter, action);
        }

        @Override
        String participle() {
            return "replayed";
        }
    }

    @Command(
            name = "discard",
            mixinStandardHelpOptions = true,
            description = "Deletes dead letters permanently, the oldest first.")
    static final class Discard extends Change {

        @Override
        BulkResult apply(DeadLetters deadLetters, DeadLetterFilter filter, BulkAction action) {
            return deadLetters.discard(filter, action);
        }

        @Override
        String participle() {
            return "discarded";
        }
    }

    /** A command that changes the matching dead letters. Without {@code --yes} it only reports the number. */
    private abstract static class Change extends DatabaseCommand {

        @Mixin
        private final FilterOptions filterOptions = new FilterOptions();

        @Mixin
        private final AuditInfo auditInfo = new AuditInfo();

        @Option(
                names = "--limit",
                paramLabel = "N",
                description = "At most N dead letters, the oldest first. Default: 1000.")
        private int limit = 1000;

        @Option(names = "--rate", paramLabel = "N", description = "At most N dead letters a second. Default: no limit.")
        private int rate;

        @Option(names = "--yes", description = "Makes the change. Without it the command only reports the number.")
        private boolean yes;

        abstract BulkResult apply(DeadLetters deadLetters, DeadLetterFilter filter, BulkAction action);

        abstract String participle();

        @Override
        int run(Output output) {
            Store store = openStore();
            BulkAction action = SharedOptions.checked(
                    () -> BulkAction.by(auditInfo.operator()).withLimit(limit).withPerSecond(rate));
            BulkResult result =
                    apply(engine(store).deadLetters(), filterOptions.toFilter(store), yes ? action : action.asDryRun());
            MessageId id = filterOptions.target.id();
            if (id != null && result.changed() == 0) {
                throw new CommandException(ExitCode.REFUSED, refusal(id, result));
            }
            output.line(describe(result));
            if (!yes) {
                output.line("nothing was changed: add --yes to make the change");
            }
            output.json(fields(result));
            return ExitCode.OK;
        }

        private String refusal(MessageId id, BulkResult result) {
            String found = "message " + id + " cannot be " + participle() + ": ";
            if (result.keyTaken() > 0) {
                return found + "another message holds its message key; discard it, or replay it when the other is done";
            }
            return found
                    + (result.lost() > 0 ? "another process changed it first" : "it is no dead letter that matches")
                    + "; acidq why shows its state";
        }

        private String describe(BulkResult result) {
            String verb = yes ? (result.changed() == 1 ? "was" : "were") : "would be";
            String text = Plural.of(result.changed(), "dead letter") + " of queue '" + filterOptions.target.queue()
                    + "' " + verb + " " + participle() + ", of " + result.matched() + " matching";
            if (result.lost() > 0) {
                text += "; " + result.lost() + " changed by another process first";
            }
            if (result.keyTaken() > 0) {
                text += "; " + result.keyTaken() + " kept because another message holds the message key";
            }
            return text;
        }

        private Map<String, Object> fields(BulkResult result) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("queue", filterOptions.target.queue());
            fields.putAll(Views.bulkResult(result));
            return fields;
        }
    }

    @Command(
            name = "edit",
            mixinStandardHelpOptions = true,
            description = "Replays one dead letter with another payload, and with other headers if they are given.")
    static final class Edit extends DatabaseCommand {

        @Parameters(
                paramLabel = "MESSAGE_ID",
                converter = MessageIdConverter.class,
                description = "The dead letter, as queue~lane~uid.")
        @SuppressWarnings("NullAway.Init") // picocli requires the parameter
        private MessageId id;

        @Option(
                names = "--payload",
                paramLabel = "TEXT",
                required = true,
                description = "The new payload as the codec encodes it, or @FILE for the content of a file.")
        private String payload = "";

        @Option(
                names = "--header",
                paramLabel = "NAME=VALUE",
                description = "A header; may be repeated. With one, the message has these headers only.")
        private Map<String, String> headers = new LinkedHashMap<>();

        @Mixin
        private final AuditInfo auditInfo = new AuditInfo();

        @Option(names = "--yes", description = "Makes the change. Without it the command only shows the sizes.")
        private boolean yes;

        @Override
        int run(Output output) {
            Operator operator = auditInfo.operator();
            byte[] edited = bytes();
            DeadLetters deadLetters = engine(openStore()).deadLetters();
            DeadLetter letter = deadLetters.list(DeadLetterFilter.of(id), DeadLetterPage.first(1)).stream()
                    .findFirst()
                    .orElseThrow(() -> refused("is no dead letter; acidq why shows its state"));
            if (yes && !replay(deadLetters, letter, edited, operator)) {
                throw refused("was not replayed: another process replayed or discarded it first");
            }
            output.line("dead letter " + id + " " + (yes ? "was" : "would be") + " replayed with a payload of "
                    + Plural.of(edited.length, "byte") + " in place of " + letter.payload().length);
            if (!yes) {
                output.line("nothing was changed: add --yes to make the change");
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("id", id.toString());
            fields.put("dryRun", !yes);
            fields.put(yes ? "changed" : "wouldChange", true);
            fields.put("size", edited.length);
            output.json(fields);
            return ExitCode.OK;
        }

        private boolean replay(DeadLetters deadLetters, DeadLetter letter, byte[] edited, Operator operator) {
            return headers.isEmpty()
                    ? deadLetters.editAndReplay(letter, edited, operator)
                    : deadLetters.editAndReplay(letter, edited, headers, operator);
        }

        private byte[] bytes() {
            if (!payload.startsWith("@")) {
                return payload.getBytes(StandardCharsets.UTF_8);
            }
            try {
                return Files.readAllBytes(Path.of(payload.substring(1)));
            } catch (IOException | InvalidPathException e) {
                throw new CommandException(
                        ExitCode.USAGE, "the file of --payload=" + payload + " cannot be read: " + e.getMessage(), e);
            }
        }

        private CommandException refused(String why) {
            return new CommandException(ExitCode.REFUSED, "message " + id + " " + why);
        }
    }

    @Command(
            name = "blocked",
            mixinStandardHelpOptions = true,
            description = "Lists the ordering keys of a queue that a dead letter blocks.")
    static final class Blocked extends DatabaseCommand {

        @Parameters(paramLabel = "QUEUE", description = "The queue.")
        private String queue = "";

        @Option(
                names = "--limit",
                paramLabel = "N",
                converter = LimitConverter.class,
                description = "At most N keys, 1 to 1000. Default: 50.")
        private int limit = 50;

        @Override
        int run(Output output) {
            List<BlockedKey> keys = engine(openStore()).blockedKeys().list(queue, limit);
            output.table(
                    List.of("ORDERING KEY", "DEAD LETTER", "SINCE", "WAITING", "ERROR"),
                    keys.stream()
                            .map(key -> List.of(
                                    TerminalText.oneLine(key.orderingKey()),
                                    key.head().toString(),
                                    TerminalText.time(key.since()),
                                    waiting(key),
                                    TerminalText.shortened(key.error())))
                            .toList());
            output.json(
                    Map.of("blockedKeys", keys.stream().map(Views::blockedKey).toList()));
            return ExitCode.OK;
        }
    }

    @Command(
            name = "release",
            mixinStandardHelpOptions = true,
            description =
                    "Lets the messages of an ordering key continue without the dead letter that blocks them. The dead letter is kept.")
    static final class Release extends DatabaseCommand {

        @Parameters(paramLabel = "QUEUE", description = "The queue.")
        private String queue = "";

        @Option(
                names = "--ordering-key",
                paramLabel = "KEY",
                required = true,
                description = "The blocked ordering key; see dead blocked.")
        private String orderingKey = "";

        @Mixin
        private final AuditInfo auditInfo = new AuditInfo();

        @Option(names = "--yes", description = "Makes the change. Without it the command only shows the blocked key.")
        private boolean yes;

        @Override
        int run(Output output) {
            Operator operator = auditInfo.operator();
            BlockedKeys blockedKeys = engine(openStore()).blockedKeys();
            BlockedKey blocked = blockedKeys
                    .find(queue, orderingKey)
                    .orElseThrow(() -> refused("is not blocked by a dead letter; see acidq dead blocked"));
            if (yes && !blockedKeys.release(blocked, operator)) {
                throw refused(
                        "was not released: another process replayed, discarded or released its dead letter first");
            }
            output.line("ordering key '" + TerminalText.oneLine(orderingKey) + "' of queue '" + queue + "' "
                    + (yes ? "was" : "would be") + " released from dead letter " + blocked.head()
                    + "; waiting behind it: " + waiting(blocked));
            if (!yes) {
                output.line("nothing was changed: add --yes to make the change");
            }
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("queue", queue);
            fields.put("dryRun", !yes);
            fields.put(yes ? "changed" : "wouldChange", true);
            fields.putAll(Views.blockedKey(blocked));
            output.json(fields);
            return ExitCode.OK;
        }

        private CommandException refused(String why) {
            return new CommandException(
                    ExitCode.REFUSED, "ordering key '" + orderingKey + "' of queue '" + queue + "' " + why);
        }
    }

    private static String waiting(BlockedKey key) {
        return key.waiting() + (key.waiting() == BlockedKey.MAX_COUNTED ? "+" : "");
    }

    /** The target of a command: a queue, or one message of it. A queue's name has no {@code ~}. */
    private record Target(String queue, @Nullable MessageId id) {}

    /** Parses a {@link Target}. */
    private static final class TargetConverter implements ITypeConverter<Target> {

        @Override
        public Target convert(String text) {
            if (text.indexOf('~') < 0) {
                return new Target(text, null);
            }
            MessageId id = new MessageIdConverter().convert(text);
            return new Target(id.queue(), id);
        }
    }

    /** The options that select dead letters. */
    private static final class FilterOptions {

        @Parameters(
                paramLabel = "QUEUE|MESSAGE_ID",
                converter = TargetConverter.class,
                description = "The queue, or one message as queue~lane~uid.")
        @SuppressWarnings("NullAway.Init") // picocli requires the parameter
        private Target target;

        @Option(
                names = "--cause",
                paramLabel = "CAUSE",
                description = "Only dead letters with this cause; see dead list --groups.")
        private @Nullable String cause;

        @Option(names = "--type", paramLabel = "NAME", description = "Only dead letters with this payload type.")
        private @Nullable String type;

        @Option(names = "--key", paramLabel = "KEY", description = "Only dead letters with this message key.")
        private @Nullable String key;

        @Option(names = "--ordering-key", paramLabel = "KEY", description = "Only dead letters with this ordering key.")
        private @Nullable String orderingKey;

        @Option(
                names = "--since",
                paramLabel = "TIME",
                description =
                        "Only dead letters since this time: 2h (ago), or 2031-05-01T12:00:00Z, by the database's clock.")
        private @Nullable String since;

        @Option(
                names = "--until",
                paramLabel = "TIME",
                description = "Only dead letters before this time, in the format of --since.")
        private @Nullable String until;

        DeadLetterFilter toFilter(Store store) {
            Instant first = since == null ? null : SharedOptions.time(since, store);
            Instant end = until == null ? null : SharedOptions.time(until, store);
            return SharedOptions.checked(
                    () -> new DeadLetterFilter(target.queue(), target.id(), cause, type, key, orderingKey, first, end));
        }
    }
}
