package io.acidq.cli;

import io.acidq.BulkAction;
import io.acidq.BulkResult;
import io.acidq.DeadLetterFilter;
import io.acidq.DeadLetters;
import picocli.CommandLine.Command;

/** Deletes dead letters for good, the oldest first. */
@Command(
        name = "discard",
        mixinStandardHelpOptions = true,
        description = "Deletes dead letters for good, the oldest first.")
final class DeadDiscardCommand extends DeadTask {

    @Override
    BulkResult act(DeadLetters letters, DeadLetterFilter filter, BulkAction action) {
        return letters.discard(filter, action);
    }

    @Override
    String done() {
        return "discarded";
    }
}
