package io.acidq.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.acidq.TransientQueueException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The main class of the command line. */
@Command(
        name = "acidq",
        mixinStandardHelpOptions = true,
        version = "acidq 0.1.0-SNAPSHOT",
        description = "Shows and repairs the queues of AcidQ in a MySQL or MariaDB database.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DoctorCommand.class,
            QueueCommands.Queues.class,
            MessageCommands.ListMessages.class,
            MessageCommands.Why.class,
            MessageCommands.Cancel.class,
            ReceiptCommand.class,
            DeadLetterCommands.class,
            SubscriptionCommands.class,
            RecurringCommands.class,
            QueueCommands.Pause.class,
            QueueCommands.Resume.class,
            SchemaCommands.class,
            DashboardCommand.class,
            HelpCommand.class
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "1:problems were found, or the command was refused",
            "2:the command line is wrong",
            "3:the database cannot be reached, rejects the account, or cannot do it now"
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
                .setExpandAtFiles(false) // a password may begin with @
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(false)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler((ParameterException e, String[] arguments) -> errorReporter.usageError(e))
                .setExecutionExceptionHandler((e, command, parsed) -> errorReporter.failure(e));
    }

    /** The exit codes, which the usage text documents. */
    static final class ExitCode {

        static final int OK = 0;
        static final int REFUSED = 1;
        static final int USAGE = 2;
        static final int UNREACHABLE = 3;

        private ExitCode() {}
    }

    /** Writes an error as one line, or as JSON with {@code --json}, and adds the stack trace with {@code --verbose}. */
    private record ErrorReporter(PrintWriter err, boolean json, boolean verbose) {

        int usageError(ParameterException e) {
            String usage = e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
            boolean isBeforeTheCommand = e instanceof UnmatchedArgumentException unmatched
                    && unmatched.isUnknownOption()
                    && e.getCommandLine().getParent() == null;
            String hint = isBeforeTheCommand ? "options follow their command: acidq COMMAND --url=…; see " : "see ";
            return report(ExitCode.USAGE, e.getMessage() + " (" + hint + usage + ")", e);
        }

        int failure(Exception e) {
            int code = ExitCode.REFUSED;
            if (e instanceof CommandException failure) {
                code = failure.exitCode();
            } else if (e instanceof TransientQueueException) {
                code = ExitCode.UNREACHABLE;
            }
            return report(code, e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }

        private int report(int code, String message, Exception cause) {
            String line = TerminalText.oneLine(message);
            if (json) {
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("error", line);
                fields.put("exitCode", code);
                err.println(Output.COMPACT_JSON.writeValueAsString(fields));
            } else {
                err.println("acidq: " + line);
            }
            if (verbose) {
                cause.printStackTrace(err);
            }
            err.flush();
            return code;
        }
    }
}
