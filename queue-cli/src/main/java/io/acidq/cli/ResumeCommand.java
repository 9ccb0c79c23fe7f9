package io.acidq.cli;

import io.acidq.engine.Engine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends the pause of a queue. */
@Command(name = "resume", mixinStandardHelpOptions = true, description = "Ends the pause of a queue.")
final class ResumeCommand extends Task {

    @Parameters(paramLabel = "QUEUE", description = "The queue.")
    private String queue = "";

    @Mixin
    private final Signature signature = new Signature();

    @Override
    int run(Site site, Screen screen) {
        signature.checked();
        Engine engine = site.engine();
        boolean changed = engine.control().resume(queue, signature.who, signature.why);
        screen.line("queue '" + queue + "' " + (changed ? "is resumed" : "was not paused"));
        screen.json(PauseCommand.fields(queue, false, changed));
        return ExitCode.FINE;
    }
}
