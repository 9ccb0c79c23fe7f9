package io.acidq.cli;

import io.acidq.BulkAction;
import io.acidq.BulkResult;
import io.acidq.DeadLetterFilter;
import io.acidq.DeadLetters;
import picocli.CommandLine.Command;

/** Makes dead letters ordinary messages again, the oldest first, due at once. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = "Makes dead letters ordinary messages again, the oldest first, due at once.")
final class DeadReplayCommand extends DeadTask {

    @Override
    BulkResult act(DeadLetters letters, DeadLetterFilter filter, BulkAction action) {
        return letters.replay(filter, action);
    }

    @Override
    String done() {
        return "replayed";
    }
}
