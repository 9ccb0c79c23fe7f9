package io.acidq.cli;

import io.acidq.mybatis.Schema;
import java.io.Console;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates the tables that are missing. */
@Command(
        name = "apply",
        mixinStandardHelpOptions = true,
        description =
                "Creates the tables that are missing, and compares all of them. Changes nothing that is there. Needs a migrator's privileges.")
final class SchemaApplyCommand extends SchemaSubcommand {

    @Option(names = "--yes", description = "Does not ask.")
    private boolean yes;

    @Override
    int run(Output output) {
        DirectDataSource database = dataSource();
        if (!yes && !isAgreed(System.console())) {
            throw new RefusedException(ExitCode.REFUSED, "nothing was created: agree when asked, or add --yes");
        }
        Schema.create(database);
        Schema.check(database);
        output.line("the tables of version " + Schema.VERSION + " are there");
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", Schema.VERSION);
        fields.put("applied", true);
        output.json(fields);
        return ExitCode.OK;
    }

    private static boolean isAgreed(@Nullable Console console) {
        return console != null
                && "y".equalsIgnoreCase(console.readLine("Create the tables of AcidQ that are missing? [y/N] "));
    }
}
