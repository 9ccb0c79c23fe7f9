package io.acidq.cli;

import io.acidq.TransientQueueException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ParameterException;

/** Tells what went wrong: one line, as JSON where JSON was asked for, and the stack trace only with {@code --verbose}. */
record ErrorReporter(PrintWriter err, boolean json, boolean verbose) {

    int aboutUsage(ParameterException e) {
        String usage = e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
        return report(ExitCode.USAGE, e.getMessage() + " (see " + usage + ")", e);
    }

    int about(Exception e) {
        if (e instanceof RefusedException refused) {
            return report(refused.exitCode(), refused.said(), e);
        }
        if (e instanceof TransientQueueException) {
            return report(ExitCode.UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
        return report(ExitCode.REFUSED, e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }

    private int report(int code, String message, Exception cause) {
        String line = Text.oneLine(message);
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("error", line);
            fields.put("exitCode", code);
            err.println(Json.compact(fields));
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
