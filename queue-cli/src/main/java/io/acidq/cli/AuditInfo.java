package io.acidq.cli;

import io.acidq.admin.BulkAction;
import picocli.CommandLine.Option;

/** Who changes something, and why: it is written to the audit table with the change. */
final class AuditInfo {

    @Option(
            names = "--by",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "Who does it, for the audit table. Default: the user of this machine.")
    String who = "";

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for the audit table.")
    String why = "";

    /** Refuses what the audit table would not take, before anything is done. */
    BulkAction checked() {
        return Arguments.checked(() -> BulkAction.by(who, why));
    }
}
