package io.acidq.cli;

import io.acidq.admin.Backlog;
import io.acidq.admin.Diagnosis;
import io.acidq.admin.Messages.QueueInfo;
import io.acidq.admin.Operator;
import io.acidq.admin.QueueControl;
import io.acidq.admin.Views;
import io.acidq.cli.Acidq.ExitCode;
import io.acidq.cli.SharedOptions.AuditInfo;
import io.acidq.cli.SharedOptions.LimitConverter;
import io.acidq.engine.Engine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that list, pause and resume queues. */
final class QueueCommands {

    private QueueCommands() {}

    @Command(
            name = "queues",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the queues with their messages by state, the age of the oldest unclaimed message, and the nodes that serve them.",
                "Counts stop at 10,000. A + then follows the number."
            })
    static final class Queues extends DatabaseCommand {

        private static final List<String> HEAD =
                List.of("QUEUE", "PAUSED", "READY", "RUNNING", "WAITING", "SCHEDULED", "DEAD", "OLDEST", "SERVED BY");

        @Option(
                names = "--limit",
                paramLabel = "N",
                converter = LimitConverter.class,
                description = "At most N queues, by name. Default: 1000.")
        private int limit = 1000;

        @Override
        int run(Output output) {
            Engine engine = engine(openStore());
            List<List<String>> rows = new ArrayList<>();
            List<Map<String, Object>> queues = new ArrayList<>();
            for (QueueInfo queue : engine.messages().queues(limit)) {
                Backlog backlog = engine.backlog(queue.name());
                rows.add(row(queue, backlog));
                queues.add(Views.queue(queue, backlog));
            }
            output.table(HEAD, rows);
            output.json(Map.of("queues", queues));
            return ExitCode.OK;
        }

        private static List<String> row(QueueInfo queue, Backlog b) {
            return List.of(
                    queue.name(),
                    queue.paused() ? "yes" : "no",
                    ready(b),
                    String.valueOf(b.running()),
                    String.valueOf(b.waiting()),
                    String.valueOf(b.scheduled()),
                    String.valueOf(b.dead()),
                    b.oldest().map(TerminalText::age).orElse("-"),
                    queue.servedBy().isEmpty()
                            ? "-"
                            : queue.servedBy().stream()
                                    .map(Diagnosis.Node::host)
                                    .map(TerminalText::shortened)
                                    .collect(Collectors.joining(", ")));
        }

        private static String ready(Backlog b) {
            String ready = b.ready() + (b.isComplete() ? "" : "+");
            return b.high() + b.low() == 0 ? ready : ready + " (" + b.high() + " high, " + b.low() + " low)";
        }
    }

    /** A command that pauses or resumes one queue. */
    abstract static class PauseCommand extends DatabaseCommand {

        @Parameters(paramLabel = "QUEUE", description = "The queue.")
        private String queue = "";

        @Mixin
        private final AuditInfo auditInfo = new AuditInfo();

        /** Returns whether the queue was changed. */
        abstract boolean change(QueueControl control, String name, Operator operator);

        /** Returns whether the queue is paused afterwards. */
        abstract boolean isPaused();

        /** Returns what the change did, or why it did nothing. */
        abstract String result(boolean changed);

        @Override
        int run(Output output) {
            Engine engine = engine(openStore());
            boolean changed = change(engine.control(), queue, auditInfo.operator());
            output.line("queue '" + queue + "' " + result(changed));
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("queue", queue);
            fields.put("paused", isPaused());
            fields.put("changed", changed);
            output.json(fields);
            return ExitCode.OK;
        }
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Pauses a queue on every node until it is resumed. Running handlers finish.")
    static final class Pause extends PauseCommand {

        @Override
        boolean change(QueueControl control, String name, Operator operator) {
            return control.pause(name, operator);
        }

        @Override
        boolean isPaused() {
            return true;
        }

        @Override
        String result(boolean changed) {
            return changed ? "is paused" : "was already paused";
        }
    }

    @Command(name = "resume", mixinStandardHelpOptions = true, description = "Ends the pause of a queue.")
    static final class Resume extends PauseCommand {

        @Override
        boolean change(QueueControl control, String name, Operator operator) {
            return control.resume(name, operator);
        }

        @Override
        boolean isPaused() {
            return false;
        }

        @Override
        String result(boolean changed) {
            return changed ? "is resumed" : "was not paused";
        }
    }
}
