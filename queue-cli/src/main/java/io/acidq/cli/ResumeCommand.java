package io.acidq.cli;

import io.acidq.engine.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends the pause of a queue. */
@Command(name = "resume", mixinStandardHelpOptions = true, description = "Ends the pause of a queue.")
final class ResumeCommand extends DatabaseCommand {

    @Parameters(paramLabel = "QUEUE", description = "The queue.")
    private String queue = "";

    @Mixin
    private final AuditInfo auditInfo = new AuditInfo();

    @Override
    int run(Database database, Output output) {
        auditInfo.checked();
        Engine engine = database.engine();
        boolean changed = engine.control().resume(queue, auditInfo.who, auditInfo.why);
        output.line("queue '" + queue + "' " + (changed ? "is resumed" : "was not paused"));
        output.json(PauseCommand.fields(queue, false, changed));
        return ExitCode.OK;
    }
}
