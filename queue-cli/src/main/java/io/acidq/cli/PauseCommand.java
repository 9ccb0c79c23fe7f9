package io.acidq.cli;

import io.acidq.engine.Engine;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pauses a queue. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Pauses a queue on every node until it is resumed. Handlers that run finish.")
final class PauseCommand extends DatabaseCommand {

    @Parameters(paramLabel = "QUEUE", description = "The queue.")
    private String queue = "";

    @Mixin
    private final AuditInfo auditInfo = new AuditInfo();

    @Override
    int run(Database database, Output output) {
        auditInfo.checked();
        Engine engine = database.engine();
        boolean changed = engine.control().pause(queue, auditInfo.who, auditInfo.why);
        output.line("queue '" + queue + "' " + (changed ? "is paused" : "was paused already"));
        output.json(fields(queue, true, changed));
        return ExitCode.OK;
    }

    static Map<String, Object> fields(String queue, boolean paused, boolean changed) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("queue", queue);
        fields.put("paused", paused);
        fields.put("changed", changed);
        return fields;
    }
}
