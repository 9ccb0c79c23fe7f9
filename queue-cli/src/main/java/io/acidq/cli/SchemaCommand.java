package io.acidq.cli;

import picocli.CommandLine.Command;

/** The tables: see the commands below it. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "Prints, creates and compares the tables.",
        subcommands = {SchemaPrintCommand.class, SchemaApplyCommand.class, SchemaCheckCommand.class})
final class SchemaCommand {}
