package io.acidq.cli;

import io.acidq.mybatis.Schema;
import io.acidq.mybatis.session.Vendor;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the statements that create the tables. */
@Command(
        name = "print",
        mixinStandardHelpOptions = true,
        description = "Prints the statements that create the tables, for the server or, without one, for a dialect.")
final class SchemaPrintCommand extends SchemaSubcommand {

    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            description = "${COMPLETION-CANDIDATES}; then no database is asked.")
    private @Nullable Vendor dialect;

    @Override
    int run(Output output) throws Exception {
        Vendor vendor = dialect == null ? vendor() : dialect;
        String ddl = Schema.ddl(vendor);
        output.line(ddl.stripTrailing());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("dialect", vendor.name());
        fields.put("version", Schema.VERSION);
        fields.put("ddl", ddl);
        output.json(fields);
        return ExitCode.OK;
    }
}
