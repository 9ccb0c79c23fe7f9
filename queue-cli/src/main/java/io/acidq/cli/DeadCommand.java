package io.acidq.cli;

import picocli.CommandLine.Command;

/** Dead letters: see the commands below it. */
@Command(
        name = "dead",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Lists, replays and discards dead letters.",
        subcommands = {DeadListCommand.class, DeadReplayCommand.class, DeadDiscardCommand.class})
final class DeadCommand {}
