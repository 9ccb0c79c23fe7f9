package io.acidq.cli;

import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkResult;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import picocli.CommandLine.Command;

/** Deletes dead letters for good, the oldest first. */
@Command(
        name = "discard",
        mixinStandardHelpOptions = true,
        description = "Deletes dead letters for good, the oldest first.")
final class DeadDiscardCommand extends DeadLetterChange {

    @Override
    BulkResult act(DeadLetters letters, DeadLetterFilter filter, BulkAction action) {
        return letters.discard(filter, action);
    }

    @Override
    String done() {
        return "discarded";
    }
}
