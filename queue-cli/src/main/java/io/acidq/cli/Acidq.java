package io.acidq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;

/** The main class. What its exit codes mean is part of its usage text. */
@Command(
        name = "acidq",
        mixinStandardHelpOptions = true,
        version = "acidq 0.1.0-SNAPSHOT",
        description = "Looks at AcidQ's queues in a MySQL or MariaDB database, and mends them.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DoctorCommand.class,
            QueuesCommand.class,
            MessagesCommand.class,
            WhyCommand.class,
            DeadCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            SchemaCommand.class,
            HelpCommand.class
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:fine",
            "1:problems were found, or the command was refused",
            "2:the command line is wrong",
            "3:the database is not reached, does not let this account in, or can not do it now"
        })
public final class Acidq {

    private static final String LOG_LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    private Acidq() {}

    public static void main(String[] args) {
        System.setProperty(LOG_LEVEL, List.of(args).contains("--verbose") ? "debug" : "off");
        System.exit(run(new PrintWriter(System.out, true, UTF_8), new PrintWriter(System.err, true, UTF_8), args));
    }

    /** Runs one command and returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return commandLine(out, err, List.of(args)).execute(args);
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err, List<String> args) {
        ErrorReporter errorReporter = new ErrorReporter(err, args.contains("--json"), args.contains("--verbose"));
        return new CommandLine(new Acidq())
                .setOut(out)
                .setErr(err)
                .setExpandAtFiles(false) // a password may begin so
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((ParameterException e, String[] given) -> errorReporter.aboutUsage(e))
                .setExecutionExceptionHandler((e, command, parsed) -> errorReporter.about(e));
    }
}
