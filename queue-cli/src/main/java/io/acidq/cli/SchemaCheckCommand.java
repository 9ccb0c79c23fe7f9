package io.acidq.cli;

import io.acidq.QueueMisuseException;
import io.acidq.mybatis.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;

/** Compares the tables with those of this version. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description =
                "Compares the tables with those of this version. Exit code 1 when they differ; then says how to mend them.")
final class SchemaCheckCommand extends SchemaSubcommand {

    @Override
    int run(Output output) {
        String differences = "";
        try {
            Schema.check(dataSource());
            output.line("the tables are those of version " + Schema.VERSION);
        } catch (QueueMisuseException e) {
            differences = String.valueOf(e.getMessage());
            output.line(Text.lines(differences));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", Schema.VERSION);
        fields.put("fits", differences.isEmpty());
        fields.put("differences", differences);
        output.json(fields);
        return differences.isEmpty() ? ExitCode.OK : ExitCode.REFUSED;
    }
}
