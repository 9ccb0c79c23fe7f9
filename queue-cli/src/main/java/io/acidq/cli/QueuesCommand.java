package io.acidq.cli;

import io.acidq.admin.Backlog;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.QueueInfo;
import io.acidq.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the queues. */
@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        description = {
            "Lists the queues with their messages by state, the age of the oldest unclaimed one, and the nodes that serve them.",
            "Counts end at 10,000: the queue then shows a +."
        })
final class QueuesCommand extends DatabaseCommand {

    private static final List<String> HEAD =
            List.of("QUEUE", "PAUSED", "READY", "RUNNING", "WAITING", "SCHEDULED", "DEAD", "OLDEST", "SERVED BY");

    @Option(
            names = "--limit",
            paramLabel = "N",
            converter = LimitConverter.class,
            description = "At most so many queues, by name. Default: 1000.")
    private int limit = 1000;

    @Override
    int run(Database database, Output output) {
        Engine engine = database.engine();
        List<List<String>> rows = new ArrayList<>();
        List<Map<String, Object>> all = new ArrayList<>();
        for (QueueInfo queue : engine.messages().queues(limit)) {
            Backlog backlog = engine.backlog(queue.name());
            rows.add(row(queue, backlog));
            all.add(fields(queue, backlog));
        }
        output.table(HEAD, rows);
        output.json(Map.of("queues", all));
        return ExitCode.OK;
    }

    private static List<String> row(QueueInfo queue, Backlog b) {
        return List.of(
                queue.name(),
                queue.paused() ? "yes" : "no",
                b.ready() + (b.isComplete() ? "" : "+"),
                String.valueOf(b.running()),
                String.valueOf(b.waiting()),
                String.valueOf(b.scheduled()),
                String.valueOf(b.dead()),
                b.oldest().map(Text::age).orElse("-"),
                queue.servedBy().isEmpty()
                        ? "nobody"
                        : queue.servedBy().stream()
                                .map(Diagnosis.Node::host)
                                .map(Text::shortened)
                                .collect(Collectors.joining(", ")));
    }

    private static Map<String, Object> fields(QueueInfo queue, Backlog b) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", queue.name());
        fields.put("paused", queue.paused());
        fields.put("ready", b.ready());
        fields.put("running", b.running());
        fields.put("waiting", b.waiting());
        fields.put("scheduled", b.scheduled());
        fields.put("dead", b.dead());
        fields.put("complete", b.isComplete());
        b.oldest().ifPresent(age -> fields.put("oldestSeconds", age.toSeconds()));
        fields.put("servedBy", queue.servedBy().stream().map(WhyCommand::node).toList());
        return fields;
    }
}
