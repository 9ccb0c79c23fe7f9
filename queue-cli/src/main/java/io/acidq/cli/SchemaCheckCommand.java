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
final class SchemaCheckCommand extends SchemaTask {

    @Override
    int run(Screen screen) {
        String differences = "";
        try {
            Schema.check(dataSource());
            screen.line("the tables are those of version " + Schema.VERSION);
        } catch (QueueMisuseException e) {
            differences = String.valueOf(e.getMessage());
            screen.line(Text.lines(differences));
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("version", Schema.VERSION);
        fields.put("fits", differences.isEmpty());
        fields.put("differences", differences);
        screen.json(fields);
        return differences.isEmpty() ? ExitCode.FINE : ExitCode.REFUSED;
    }
}
