package io.acidq.cli;

import io.acidq.admin.DeadLetter;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetterGroup;
import io.acidq.admin.DeadLetterPage;
import io.acidq.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists dead letters, or their causes. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists dead letters of a queue, the oldest first, or how many died of which cause.")
final class DeadListCommand extends DatabaseCommand {

    @Mixin
    private final DeadOptions wanted = new DeadOptions();

    @Option(names = "--groups", description = "Counts by cause, of the whole queue.")
    private boolean groups;

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = LimitConverter.class,
            description = "At most so many. Default: 50.")
    private int limit = 50;

    @Option(names = "--payload", description = "Shows payloads and headers, which may be confidential.")
    private boolean payload;

    @Override
    int run(Database database, Output output) {
        Engine engine = database.engine();
        if (groups) {
            groups(engine.deadLetters().groups(wanted.queue, limit), output);
            return ExitCode.OK;
        }
        DeadLetterFilter filter = wanted.filter(database::now);
        List<DeadLetter> letters = engine.deadLetters().list(filter, DeadLetterPage.first(limit));
        long matched = engine.deadLetters().count(filter);
        List<List<String>> rows = new ArrayList<>();
        List<Map<String, Object>> all = new ArrayList<>();
        for (DeadLetter letter : letters) {
            rows.add(List.of(
                    letter.id().toString(),
                    Text.shortened(letter.key().orElse("-")),
                    String.valueOf(letter.attempts()),
                    Text.time(letter.diedAt()),
                    letter.fingerprint(),
                    Text.shortened(letter.mark().lines().findFirst().orElse(""))));
            all.add(fields(letter));
        }
        output.table(List.of("ID", "KEY", "ATTEMPTS", "DIED", "CAUSE", "ERROR"), rows);
        output.line(letters.size() + " of " + matched);
        if (payload) {
            letters.forEach(l -> Content.show(l.id(), l.payload(), l.headers(), output));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("matched", matched);
        fields.put("deadLetters", all);
        output.json(fields);
        return ExitCode.OK;
    }

    private Map<String, Object> fields(DeadLetter letter) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", letter.id().toString());
        letter.key().ifPresent(value -> fields.put("key", value));
        letter.orderingKey().ifPresent(value -> fields.put("orderingKey", value));
        fields.put("type", letter.type());
        fields.put("attempts", letter.attempts());
        fields.put("crashes", letter.crashes());
        fields.put("diedAt", letter.diedAt().toString());
        fields.put("cause", letter.fingerprint());
        fields.put("error", letter.mark());
        if (payload) {
            fields.putAll(Content.fields(letter.payload(), letter.headers()));
        }
        return fields;
    }

    private static void groups(List<DeadLetterGroup> groups, Output output) {
        output.table(
                List.of("CAUSE", "LETTERS", "FIRST DIED", "LAST DIED", "ERROR"),
                groups.stream()
                        .map(g -> List.of(
                                g.fingerprint(),
                                String.valueOf(g.letters()),
                                Text.time(g.firstDiedAt()),
                                Text.time(g.lastDiedAt()),
                                Text.shortened(g.cause())))
                        .toList());
        output.json(
                Map.of("groups", groups.stream().map(DeadListCommand::fields).toList()));
    }

    private static Map<String, Object> fields(DeadLetterGroup group) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cause", group.fingerprint());
        fields.put("letters", group.letters());
        fields.put("firstDiedAt", group.firstDiedAt().toString());
        fields.put("lastDiedAt", group.lastDiedAt().toString());
        fields.put("error", group.cause());
        fields.put("type", group.type());
        return fields;
    }
}
