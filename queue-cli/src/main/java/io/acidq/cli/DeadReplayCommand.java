package io.acidq.cli;

import io.acidq.admin.BulkAction;
import io.acidq.admin.BulkResult;
import io.acidq.admin.DeadLetterFilter;
import io.acidq.admin.DeadLetters;
import picocli.CommandLine.Command;

/** Makes dead letters ordinary messages again, the oldest first, due at once. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = "Makes dead letters ordinary messages again, the oldest first, due at once.")
final class DeadReplayCommand extends DeadLetterChange {

    @Override
    BulkResult act(DeadLetters letters, DeadLetterFilter filter, BulkAction action) {
        return letters.replay(filter, action);
    }

    @Override
    String done() {
        return "replayed";
    }
}
